/**
 * Binding terms: the words by which a user binds or asks, a table for each language in the files named after this one.
 * Each entry is a piece of a regular expression over folded text, so in lower case. It is found by its first two
 * letters: one that does not begin with `^` spells them out.
 */

export interface BindingTerms {
  /** Prohibitions, obligations, limits and corrections: they bind wherever they stand. */
  readonly strong: readonly string[];
  /** Wishes, preferences and recommendations: they bind too, and give way first in a very long message. */
  readonly weak: readonly string[];
  /** What makes a sentence a request. */
  readonly asking: readonly string[];
}

/** Headings and lead-ins whose list items bind, whatever their wording. */
export const BINDING_HEADINGS: readonly string[] = [
  "constraints?|requirements?|rules?|restrictions?|acceptance criteria|non-goals?|out of scope|must(?:s| haves?)?|must not|do not|don'?ts?|limits?|preferences?|conditions?|ground rules|guardrails",
  "anforderungen|regeln|vorgaben|einschränkungen|bedingungen|akzeptanzkriterien",
  "contraintes?|exigences?|règles?|conditions|critères d'acceptation",
  "requisitos?|restricciones|reglas|condiciones|criterios de aceptación|restrições|regras|condições|critérios de aceitação",
  "requisiti|vincoli|regole|condizioni|criteri di accettazione",
  "vereisten|eisen|regels|voorwaarden|beperkingen|acceptatiecriteria",
  "требования|ограничения|правила|условия|критерии при[её]мки",
  "要求|约束|約束|限制|规则|規則|条件|制約|要件|ルール|요구 ?사항|제약|규칙|조건",
];

/** Verbs that open an English request: "Fix the parser", "then rename it". */
export const IMPERATIVES: ReadonlySet<string> = new Set(
  "add adjust analyse analyze answer apply approve arrange ask assess book build bump calculate call cancel change check choose clean clear clone close collect combine commit compare complete compute configure confirm connect convert copy correct count create debug define delete deploy describe design detect determine develop disable discuss display document do download draft draw drop edit elaborate eliminate enable ensure estimate evaluate examine execute expand explain explore export extend extract fetch fill filter find finish fix focus format gather generate get give go group guess handle help hide identify implement import improve include increase inline insert inspect install integrate investigate issue join keep launch leave let limit link list load locate look lower make map mark measure merge migrate modify monitor move name note open optimise optimize order organise organize outline output pack parse pass paste perform pick place plan play point port post prepare print process produce propose provide publish pull push put raise read rebase rebuild recommend reduce refactor refund regenerate register release remove rename render reorder repeat replace reply report reproduce request research reschedule reserve reset resolve respond restart restore retry return revert review rewrite run save scan schedule search select send separate set ship show simplify sketch solve sort split squash start stop store submit suggest summarise summarize support switch sync take tell test think tidy track transform translate trigger try turn undo unify update upgrade upload use validate verify view visit wait walk watch wire work wrap write".split(
    " ",
  ),
);
