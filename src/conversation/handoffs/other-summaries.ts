/** How the summaries of other programs begin that stand in place of a conversation, or of its beginning. */

/** Another program's own summary of what came before, told in the user's name. */
export const CONTINUED = /^\s*This session is being continued from a previous conversation/;

/** How frameworks open the summary that they put in place of a whole conversation. */
export const SUMMARIZED =
  /^\s*(?:<(?:[a-z]+[_-])?summary>|(?:(?:here|below|this) is )?(?:a |the )?(?:[a-z]+ ){0,2}summary (?:of|to) )/i;
