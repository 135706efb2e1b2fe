/** Directive shapes: what a summary never needs to say, and an injected one does (R47). Data. */
import { ANY_FENCE } from "./fence.ts";

/** What the text looks like, in a few words, or undefined where it looks like a report. */
export function directiveShapeOf(text: string): string | undefined {
  const plain = text.normalize("NFKC").replace(INVISIBLE, "");
  // Tags that are quoted as code are talked about; words are meant wherever they are.
  const uncoded = plain.replace(/`[^`\n]{1,200}`/g, "`…`");
  return (
    PHRASES.find(({ pattern }) => pattern.test(plain))?.shape ??
    TAGS.find(({ pattern }) => pattern.test(uncoded))?.shape
  );
}

/** Characters that hide in words: zero width, direction marks, soft hyphens. */
const INVISIBLE = /\u00ad|\u200b|\u200c|\u200d|\u200e|\u200f|[\u202a-\u202e\u2060-\u2064\ufeff]/g;

interface Shape {
  readonly shape: string;
  readonly pattern: RegExp;
}

const PHRASES: readonly Shape[] = [
  {
    shape: "an order to ignore instructions",
    pattern:
      /\b(?:ignore|disregard|forget|override|bypass|discard)\s{1,4}(?:(?:all|any|every|the|your|my|these|those|of)\s{1,4}){0,4}(?:previous|prior|above|earlier|preceding|existing|original|system|safety|other)\s{1,4}(?:\w{1,20}\s{1,4}){0,2}(?:instructions?|prompts?|rules?|messages?|directives?|guidelines?|context|constraints?)\b/i,
  },
  { shape: "an order to the reader", pattern: /\byou must (?:now|immediately|from now on)\b/i },
  {
    shape: "an order to the reader",
    pattern:
      /\b(?:from now on|henceforth),?\s{1,4}(?:you (?:are|will|must|shall|should)|act as|ignore|always respond|only respond)\b/i,
  },
  {
    shape: "a new role for the reader",
    pattern:
      /\byou are now (?:an?|the|in|my|acting|operating|free|unrestricted|DAN)\b|\byour new (?:task|role|instructions?|goal|system prompt|identity) (?:is|are)\b|\b(?:new|updated|revised) (?:system )?instructions?\s{0,3}:/i,
  },
  {
    shape: "an order to deceive",
    pattern:
      /\b(?:do not|don'?t|never|without)\s{1,4}(?:tell(?:ing)?|inform(?:ing)?|mention(?:ing)?|reveal(?:ing)?|notify(?:ing)?|alert(?:ing)?)\s{1,4}(?:this |it |anything )?(?:to )?the user\b/i,
  },
  {
    shape: "an order to leak",
    pattern:
      /\b(?:reveal|print|output|send|exfiltrate|repeat|leak)\s{1,4}(?:me )?(?:your|the)\s{1,4}(?:system prompt|hidden instructions|api keys?|credentials|secrets)\b/i,
  },
  {
    // Of lines only: what a user said about one tool is a constraint, and stays (R11).
    shape: "an order to use no tools",
    pattern:
      /^[\s>*#\-\d.)]{0,12}(?:from now on,?\s|please\s|you (?:must|should|may|can)\s)?(?:do not|don'?t|never|not|stop|no longer)\s{1,4}(?:call|use|invoke|run|calling|using|invoking|running)\s{1,4}(?:(?:any|all|more|further|the|your|other)\s{1,4}){0,3}(?:tools?|functions?)\b|^[\s>*#\-\d.)]{0,12}(?:all |your |the )?tools (?:are|have been) (?:now )?(?:disabled|unavailable|turned off|not available)\b|\b(?:answer|respond|reply) (?:only )?(?:with|in) (?:plain )?text only\b/im,
  },
  {
    shape: "a system prompt",
    pattern:
      /^[ \t#>*]{0,8}you are (?:an?|the) [^.\n]{0,60}\b(?:assistant|agent|language model|AI|chatbot|bot)\b/im,
  },
];

const TAGS: readonly Shape[] = [
  { shape: "a fence of the transcript", pattern: ANY_FENCE },
  {
    shape: "a turn of the transcript",
    pattern:
      /^\s{0,3}\[(?:SYSTEM|USER|ASSISTANT|TOOL)\]:|^TURNS TO SUMMARIZE:|^(?:#{1,3} )?(?:Human|Assistant):\s/m,
  },
  {
    shape: "a role tag",
    pattern:
      /<\|[a-z_]{2,30}\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|assistant|human|developer|system[-_](?:reminder|prompt|message)|instructions)>|^#{1,3} (?:System|Instruction):?$/im,
  },
  {
    shape: "a tool call",
    pattern:
      /<\/?(?:tool_calls?|function_calls?|function_results?|invoke|tool_use|tool_code|tool_result|antml:\w{1,30})\b[^>\n]{0,200}>|<function=|\{\s{0,8}"(?:tool_calls|function_call)"\s{0,4}:|\{\s{0,8}"name"\s{0,4}:\s{0,4}"[^"\n]{1,80}"\s{0,4},\s{0,8}"(?:arguments|parameters|input)"\s{0,4}:|\bto=functions\./,
  },
];
