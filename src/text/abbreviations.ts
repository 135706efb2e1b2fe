/** Words that carry a full stop without ending a sentence. Lower case, without the last stop. */

/** Something always follows them: the stop never ends a sentence. */
export const LEADING_ABBREVIATIONS: ReadonlySet<string> = new Set(
  `e.g i.e eg ie cf vs viz mr mrs ms mx dr prof rev hon gen col sgt capt lt gov pres sen rep st mt ft
   approx ca fig figs eq eqs sec ch vol pp ed eds est tel ext resp incl excl esp dept univ
   bzw z.b d.h u.a vgl ggf evtl zzgl inkl sog abs art bspw sr sra dra mme mlle p.ej ej ex bijv`.split(/\s+/),
);

/** A sentence may end with them; it does when the next word starts one. */
export const CLOSING_ABBREVIATIONS: ReadonlySet<string> = new Set(
  `etc al inc ltd co corp llc jr a.m p.m u.s u.k u.n e.u u.s.a d.c ph.d b.sc m.sc b.a m.a usw ecc enz`.split(
    /\s+/,
  ),
);

/** The stop belongs to them only before a number: "No. 5", "Jan. 3", "p. 12". */
export const NUMBERED_ABBREVIATIONS: ReadonlySet<string> = new Set(
  `no nos nr p art sec § jan feb mar apr jun jul aug sep sept oct nov dec`.split(/\s+/),
);

/** Words that begin a sentence rather than continue a name. */
export const SENTENCE_STARTERS: ReadonlySet<string> = new Set(
  `the a an it this that these those there we i you he she they in on at if when while for but and so or however then
   please also what why how who where can could do does is are was our my your his her their its not no yes after before
   now next as by with from to let use make run see`.split(/\s+/),
);
