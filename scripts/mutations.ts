/** Mutations: for a numbered behaviour, one edit of the sources that switches it off. */
export interface Mutation {
  readonly row: string;
  /** From the project's root. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

type Edit = readonly [rows: string, find: string, replace: string];

/** Several edits of one file; an edit may stand for several rows. */
function inFile(file: string, ...edits: readonly Edit[]): readonly Mutation[] {
  return edits.flatMap(([rows, find, replace]) =>
    rows.split(" ").map((row) => ({ row, file, find, replace })),
  );
}

export const mutations: readonly Mutation[] = [
  ...inFile("src/transcripts/read-transcript.ts", [
    "R35",
    "if (told !== undefined) return told;",
    "if (told === undefined) return told;",
  ]),
  ...inFile("src/transcripts/splices.ts", [
    "R35",
    "longer += splice.text.length - (splice.end - splice.start);",
    "longer += splice.text.length;",
  ]),
  ...inFile("src/transcripts/session-facts.ts", ["R35", "last = time ?? last;", "last = time;"]),
  ...inFile("src/recall/turns-of-span.ts", ["R35", "if (earlier) {", "if (!earlier) {"]),
  ...inFile("src/archive/ready-write.ts", ["R46", "items: items.map(maskedItem),", "items,"]),
  ...inFile("src/run/arrivals.ts", [
    "F31",
    "if (!policy.shapeOnArrival) return undefined;",
    "if (policy.shapeOnArrival) return undefined;",
  ]),
  ...inFile("src/run/masked-occasion.ts", [
    "R46",
    "occasion.marks ? withoutSecrets(occasion) : occasion",
    "occasion",
  ]),
  ...inFile(
    "src/sources/gptme/score-sentence.ts",
    ["F5", "if (position === total - 1) return 1.5;", ""],
    ["F6", "if (lower.includes(term)) score += KEY_TERM_SCORE", "if (lower.includes(term)) score += 0"],
    ["F7", "if (length < 50) return 0.3;", ""],
  ),
  ...inFile(
    "src/sources/gptme/extract-text.ts",
    [
      "F2",
      "joined += text.slice(piece.start, piece.end);",
      "joined += text.slice(piece.start, piece.end).toUpperCase();",
    ],
    ["F3", 'if (segment.kind === "prose") {', 'if (segment.text !== "") {'],
    ["F8", "const keepCount = Math.max(2,", "const keepCount = Math.max(9,"],
    [
      "F9",
      "for (let index = 0; index < pieces.length; index++) {",
      "for (let index = pieces.length - 1; index >= 0; index--) {",
    ],
    ["F10", "if (touchesCode || (keepMarkers", "if ((keepMarkers"],
    ["F11", "score: weigh(sentence, index, total)", "score: weigh(sentence, scored.length, pieces.length)"],
    ["F15", "if (total <= UNTOUCHED_SENTENCES) return { text, total, kept: total };", ""],
  ),
  ...inFile(
    "src/text/sentences.ts",
    [
      "F4",
      "return code === 0x2e || code === 0x21 || code === 0x3f || code === 0x2026;",
      "return code === 0x2e;",
    ],
    ["F18", "return !isAbbreviation(text, { at, lineStart, next });", "return true;"],
  ),
  ...inFile("src/text/midline-fences.ts", ["F3", "ranges.push(range);", ""]),
  ...inFile("src/text/code-blocks.ts", ["F3", 'text.includes("~~~")', 'text.includes("~~~~~~~~~~~~")']),
  ...inFile(
    "src/sources/synthorg/epistemic-markers.ts",
    ["F63", '["wait", "hmm", "actually", "hm", "ah"],', '["wait", "hmm", "hm", "ah"],'],
    ["F64", "count + (pattern.test(text) ? 1 : 0)", "count + (pattern.test(text) ? 2 : 0)"],
    ["F66", 'Uncertainty points preserved: ${quoted.join(", ")}]', "]"],
  ),
  ...inFile("src/sources/synthorg/tf-idf.ts", [
    "F69",
    "Math.log((documents + 1) / (held + 1))",
    "held * 0 + 1",
  ]),
  ...inFile("src/sources/synthorg/entropy.ts", [
    "F70",
    "return Math.log2(length) - sum / length;",
    "return length - sum / length;",
  ]),
  ...inFile(
    "src/policy/presets.ts",
    ["F12", '{ at: 0.5, action: "extract" },', '{ at: 0.8, action: "extract" },'],
    [
      "F38",
      '{ at: 0.5, action: "hand-off", messages: 20 },',
      '{ at: 0.8, action: "hand-off", messages: 20 },',
    ],
    ["F40", '{ at: 0.8, action: "trim", messages: 30 },', '{ at: 0.8, action: "trim" },'],
    ["F54 F57", "retention: { ...verbatim, messages: 6 },", "retention: { ...verbatim, messages: 2 },"],
    ["F89", "{ ...sections, always: true }", "{ ...sections, always: false }"],
    ["F76", "agentControlled: { safetyAt: 0.95 }", "agentControlled: { safetyAt: 0.8 }"],
  ),
  ...inFile(
    "src/policy/decide.ts",
    ["F22", "fill.tokens >= tokens && (needsResultOver", "fill.tokens > tokens && (needsResultOver"],
    ["F36", "if (!policy.enabled) {", "if (policy.name === undefined) {"],
    ["F55", "if (endsInFlight(conversation.messages)) {", "if (conversation.messages.length < 0) {"],
    [
      "F76",
      "sizes.safetyTokens === undefined ? byThreshold",
      "sizes.safetyTokens !== undefined ? byThreshold",
    ],
    [
      "R32",
      'if (force === "manual")',
      'if (force === "manual" && onHold(situation)) return refuse("BLOCKED", "");\n  if (force === "manual")',
    ],
    ["R50", "noGain(situation, sizes) ??\n      asked(", "asked("],
  ),
  ...inFile(
    "src/policy/trigger-sizes.ts",
    [
      "F14",
      "Math.min(policy.targetRatio * capped, proportion * Math.min(tokens, budget))",
      "Math.min(capped, tokens)",
    ],
    ["R29", "(policy.triggerCapTokens ?? Number.POSITIVE_INFINITY) / first", "Number.POSITIVE_INFINITY"],
  ),
  ...inFile("src/policy/resolve-policy.ts", [
    "F17",
    ": expression;",
    ': fromExpression("balanced", window);',
  ]),
  ...inFile(
    "src/policy/modifiers.ts",
    ["F65 F80", "promoteAt: COMPLEX", "promoteAt: 3"],
    ["F80", "verbose: promoteAtOneMarker,", "verbose: (policy) => policy,"],
    ["F71", "points: 10", "points: 0"],
    ["F36 F38", "debug: (policy) => ({ ...policy, enabled: false }),", "debug: (policy) => policy,"],
  ),
  ...inFile("src/handoff/text-summary.ts", ["F69", ".filter((_, at) => !slight.has(at))", ""]),
  ...inFile("src/plan/layout.ts", [
    "F77",
    "withRelative(policy.retention, messages, { capacity: budgetTokens, counter })",
    "policy.retention",
  ]),
  ...inFile("src/policy/presets.ts", ["F59", 'estimator: "rough",', ""]),
  ...inFile("src/policy/retention.ts", [
    "F77",
    "return Math.max(turns, Math.floor(",
    "return Math.min(turns, Math.floor(",
  ]),
  ...inFile(
    "src/policy/refusal.ts",
    [
      "F26",
      "if (spoken <= head + policy.retention.messages && !isNeeded()) {",
      "if (spoken < 0 && !isNeeded()) {",
    ],
    ["F54", "if (spoken < policy.minMessages && !isNeeded()) {", "if (spoken < 0 && !isNeeded()) {"],
    ["R17", "now < blockedUntil && fill.tokens < blockEndsAtTokens", "fill.tokens < blockEndsAtTokens"],
    ["R18", "now < blockedUntil && fill.tokens < blockEndsAtTokens", "now < blockedUntil"],
    ["R48", "fill.tokens < Math.min(state.rearmTokens, fill.budget)", "fill.tokens < 0"],
    [
      "R51",
      "return { act: false, code, reason };",
      "return { act: false, code, reason: reason.slice(0, 20) };",
    ],
  ),
  ...inFile("src/policy/minimum-reclaim.ts", [
    "R48",
    "saved >= policy.minReclaim.ratio * tokensBefore",
    "saved >= 0",
  ]),
  ...inFile(
    "src/policy/verdict.ts",
    ["R16", "if (realPromptTokens < pendingVerdict.thresholdTokens)", "if (realPromptTokens > 0)"],
    ["R17", "return { ...kept, strikes: 0, recentResults: [], model };", "return { ...kept, model };"],
    ["R18", "blockedUntil: now + blockMs,", "blockedUntil: now,"],
    [
      "R19",
      "return strike({ ...state, lastAttemptAt: now }, now, `a compaction was refused",
      "return withBlock({ ...state, lastAttemptAt: now }, now, `a compaction was refused",
    ],
    ["R20", "const stuck = stuckReason(recentResults, now);", "const stuck = stuckReason([], now);"],
    [
      "R22",
      "const { anchor: _, pendingVerdict: _pending, ...kept } = forModel(state, model);",
      "const { pendingVerdict: _pending, ...kept } = forModel(state, model);",
    ],
    ["R23", "if (realPromptTokens < pendingVerdict.thresholdTokens)", "if (realPromptTokens > 0)"],
  ),
  ...inFile(
    "src/report/session-log.ts",
    ["F28", "return `Summarized ${counted(count", "return `Summarised ${counted(count"],
    [
      "F29",
      "return summarizedLine(summarized || touched, tokensSaved);",
      "return summarizedLine(summarized || touched, 0);",
    ],
    ["F39", "`- Post-summarization: ${", "`- After: ${"],
  ),
  ...inFile(
    "src/report/health.ts",
    ["F40", "warnAt: 0.5,", "warnAt: 0.6,"],
    ["F40", "return required.filter((field) => !there[field]);", "return [];"],
  ),
  ...inFile("src/report/conflicts.ts", ["F40", "earlier.value !== value", "earlier.value === value"]),
  ...inFile("src/tokens/rough-estimate.ts", ["F59", "return tools.length * TOOL_TOKENS;", "return 0;"]),
  ...inFile(
    "src/tokens/fill.ts",
    ["R24", "const budget = window - reserve;", "const budget = window;"],
    [
      "R25",
      "const tokens = anchoredTokens(conversation, counter, anchor);",
      "const tokens = counter.conversation(conversation);",
    ],
  ),
  ...inFile("src/tokens/anchor.ts", [
    "R22",
    "if (!anchor || !holds(anchor, conversation)) return counter.conversation(conversation);",
    "if (!anchor) return counter.conversation(conversation);",
  ]),
  ...inFile(
    "src/tokens/counter.ts",
    [
      "R26",
      "return { text: count(part.name) + count(part.arguments) + 1, media: 0 };",
      "return { text: count(part.arguments), media: 0 };",
    ],
    [
      "R27",
      "(sum, message) => sum + countMessageOnce(message),",
      "(sum, message) => sum + countMessageOnce(message) + 1,",
    ],
  ),
  ...inFile("src/tokens/media.ts", ["R26", "const LOW_DETAIL = 85;", "const LOW_DETAIL = 0;"]),
  ...inFile(
    "src/shapes/shape-tool-result.ts",
    [
      "F31",
      "if (noteOf(output.text) !== undefined || isWholeError(output)) return undefined;",
      "if (isWholeError(output)) return undefined;",
    ],
    ["F36", "export const SMALL_RESULT_TOKENS = 200;", "export const SMALL_RESULT_TOKENS = 20;"],
    [
      "F36",
      "if (noteOf(output.text) !== undefined || isWholeError(output)) return undefined;",
      "if (noteOf(output.text) !== undefined) return undefined;",
    ],
  ),
  ...inFile("src/shapes/web-search.ts", [
    "F32",
    "hits.slice(0, MOST_HITS).map(writeHit)",
    "hits.slice(0, MOST_HITS).map((hit) => hit.title)",
  ]),
  ...inFile("src/shapes/file-read.ts", ["F33", "keepOutline(selection, outline());", ""]),
  ...inFile("src/shapes/table.ts", ["F34", "return rows <= MANY_ROWS &&", "return rows <= MANY_ROWS + 1 &&"]),
  ...inFile("src/shapes/outcome.ts", ["F36", "&& outcomeOf(output).failed;", "&& false;"]),
  ...inFile("src/shapes/database-rows.ts", [
    "F34",
    "parseJson(text) ?? parseJsonLines(text);",
    "parseJson(text);",
  ]),
  ...inFile("src/shapes/api-response.ts", ["F35", '"api-response", isMetadata)', '"api-response")']),
  ...inFile("src/shapes/outcome.ts", ["R40", "exitCode !== 0);", "false);"]),
  ...inFile("src/shapes/shape-note.ts", ["R42", "return `[pith shaped: ${kind}, ", "return `[${kind}, "]),
  ...inFile("src/shapes/fit-text.ts", [
    "R44",
    'return best === "" ? cutToTokens(body, maxTokens, context) : best;',
    "return text;",
  ]),
  ...inFile("src/providers/openai-chat/read.ts", [
    "R3",
    "return ids.map((id) => [id as string, pairId] as const);",
    "return [];",
  ]),
  ...inFile(
    "src/providers/openai-chat/write.ts",
    [
      "R6",
      "arguments: parsed === undefined ? JSON.stringify({ _raw: text }) : text };",
      "arguments: text };",
    ],
    [
      "R7",
      "return withKeys(value, changes);",
      "return withKeys({ ...value, position: message.position }, changes);",
    ],
  ),
  ...inFile("src/providers/openai-chat/read.ts", [
    "F51",
    'content === null || content === ""',
    'content === ""',
  ]),
  ...inFile("src/plan/stages/extract-sentences.ts", [
    "F13",
    "counter.message(message) <= rule.minTokens",
    "counter.message(message) <= 100_000",
  ]),
  ...inFile("vitest.config.ts", ["F16", "thresholds: { lines: 95 }", "thresholds: { lines: 50 }"]),
  ...inFile(
    "src/handoff/asks.ts",
    ["F20 F30 R37 R52", "bindingLinesOf(message).forEach(add);", ""],
    ["R41", "bindingLinesOf(message).forEach(add);", ""],
    ["R14 R38", "const first = wordsOf(asks.find(isPersons) ?? asks[0]);", 'const first = "";'],
  ),
  ...inFile("src/conversation/protected.ts", ["F30", "if (checkpoint >= 0) positions.add(checkpoint);", ""]),
  ...inFile(
    "src/conversation/handoffs/prefixes.ts",
    ["F27", 'factor3: "[SUMMARY]:",', 'factor3: "Summary:",'],
    ["F41", "was summarized to preserve context space.", "was summarised to preserve context space."],
    ["F42", '"[CONTEXT SUMMARY]:"', '"[SUMMARY OF CONTEXT]:"'],
    ["F43", "return prefix === undefined ? text : text.slice(prefix.length).trimStart();", "return text;"],
    ["R9", "Past reference:", "Do this next:"],
  ),
  ...inFile(
    "src/plan/layout.ts",
    [
      "F44",
      "policy.handoff.systemNote && !request.systemNoted ? noteEdits(messages[0])",
      "policy.handoff.systemNote && request.systemNoted ? noteEdits(messages[0])",
    ],
    ["R13", "const role = policy.handoff.role;", 'const role = "auto" as const;'],
  ),
  ...inFile("src/plan/system-note.ts", ["F44", "${text}\\n\\n${SYSTEM_NOTE}", "${SYSTEM_NOTE}"]),
  ...inFile(
    "src/engine/place.ts",
    [
      "F50",
      'if (previous === "user" && next !== undefined && next !== "assistant")',
      'if (previous === "system" && next !== undefined && next !== "assistant")',
    ],
    [
      "R4 R5",
      'if (previous !== "user" && next !== "user") return { kind: "insert", role: "user" };',
      'return { kind: "insert", role: "assistant" };',
    ],
  ),
  ...inFile("src/compactor.ts", [
    "F56 R51",
    "...returned(input),\n        original:",
    "...returned(undefined),\n        original:",
  ]),
  ...inFile("src/engine/bridges.ts", [
    "R5",
    "alternates ? isSpoken : isVisible",
    "alternates ? isSpoken : () => false",
  ]),
  ...inFile("src/report/read-again.ts", ["R43", "|| isUnchanged(result.text)", ""]),
  ...inFile("src/plan/stages/extract-sentences.ts", ["F19", "Math.max(...weights) - 1", "0"]),
  ...inFile("src/errors/fatal.ts", ["F56", "throw cause;", "return;"]),
  ...inFile("src/handoff/text-summary.ts", [
    "F58",
    "const SUMMARY_CHARS = 500;",
    "const SUMMARY_CHARS = 900;",
  ]),
  ...inFile(
    "src/plan/regions.ts",
    [
      "F67",
      "countEpistemicMarkers(contentOf(message)) < promoteAt",
      "countEpistemicMarkers(contentOf(message)) < 3",
    ],
    ["F65", "if (promoteAt !== undefined) {", "if (promoteAt === 0) {"],
    ["F69 F70", "afford([later[at]!], pinned);", "if (at < 0) afford([later[at]!], pinned);"],
    ["R45", "policy.head.decays && compactions > 0 ? 0 : policy.head.messages", "policy.head.messages"],
  ),
  ...inFile("src/plan/tail.ts", [
    "R1",
    "allowsCut(messages, group.start)) start = group.start;",
    "allowsCut(messages, group.start)) start = group.end - 1;",
  ]),
  ...inFile("src/engine/invariants/completed-turns-stay-whole.ts", [
    "R12",
    "turns.some((turn) => turn.start === index)",
    "true",
  ]),
  ...inFile(
    "src/handoff/compose.ts",
    ["R9 R13", "\\n${END_MARKER}`;", "`;"],
    ["R36", "if (best === undefined) return undefined;", "return undefined;"],
  ),
  ...inFile("src/report/print-report.ts", [
    "F1",
    "if (report.stages.length > 0) blocks",
    "if (report.stages.length < 0) blocks",
  ]),
  ...inFile("src/run/build-report.ts", ["F1", "(tokensBefore - tokensAfter) / tokens,", "0,"]),
  ...inFile("src/plan/regions.ts", [
    "R2",
    "else if (position >= tailStart) recent.push(position);",
    "else if (position >= tailStart && position < messages.length - 1) recent.push(position);",
  ]),
  ...inFile("src/handoff/asks.ts", [
    "R8",
    "const last = asks.findLast(isPersons);",
    "const last = asks.find(isPersons);",
  ]),
  ...inFile("src/conversation/handoffs/prefixes.ts", [
    "R21",
    "if (!opensHandoff(trimmed)) return undefined;",
    "return undefined;",
  ]),
  ...inFile("src/run/goal.ts", [
    "R28",
    "if (!fill) throw new UnknownWindowError(model);",
    "if (!fill) return { act: false, reason: String(model) };",
  ]),
  ...inFile("src/run/check-options.ts", ["F83", 'requested?.reason.trim() === ""', "false"]),
  ...inFile("src/run/observation.ts", ["F84", "archiveOnly: true", "archiveOnly: false"]),
  ...inFile(
    "src/compactor.ts",
    ["F82", "offersCompress && fill ? { tokens", "false && fill ? { tokens"],
    ["F84", "if (occasion.policy.handoff.archiveOnly) return compacted.result;", ""],
  ),
  ...inFile("src/handoff/compose.ts", ["F84", "policy.handoff.archiveOnly ? 1 : SHARES.doubts", "-1"]),
  ...inFile(
    "src/agent-control/compress-context.ts",
    ["F73", "preserveMarkers: !isNo(values.preserve_markers)", "preserveMarkers: true"],
    ["F74", "if (calls.some((call) => !answered.has(call.pairId))) return undefined;", ""],
    ["F73", "|| !isStrategy(strategy)", ""],
    ["F83", 'values.reason.trim() !== "";', "true;"],
  ),
  ...inFile("src/agent-control/fill-note.ts", ["F82", "tokens / budget, 0", "tokens / budget / 2, 0"]),
  ...inFile("src/gateway/prepare.ts", ["F82", "notedFill(offer.text, format, fill)", "offer.text"]),
  ...inFile("src/mcp/tools.ts", [
    "F75",
    "agentControlled ? [...recall, compressContext] : recall",
    "[...recall, compressContext]",
  ]),
  ...inFile(
    "src/run/agent-report.ts",
    ["F76", 'goal.cause === "safety-net"', 'goal.cause === "overflow"'],
    ["F83", "redactSecrets(looked.trim()).text", "looked.trim()"],
  ),
  ...inFile(
    "src/report/session-log.ts",
    ["F40", "return [healthLine(health, outcome)];", "return [];"],
    ["F83", "`Requested by the agent: ${request.reason}`", '"Requested"'],
  ),
  ...inFile("src/run/build-report.ts", ["F40", "health: health({", "healthy: health({"]),
  ...inFile(
    "src/gateway/prepared-request.ts",
    ["F76 F90", 'metrics.add("compactions", { cause });', ""],
    ["F90", "sentences.total - sentences.kept", "sentences.total"],
  ),
  ...inFile("src/state/read-state.ts", ["F60", '"blockedReason?": "text",', ""]),
];
