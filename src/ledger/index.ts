/** pith/ledger: the facts of a conversation as they are now, read, told and read back. */
import "../needed-node.ts";

export {
  type CommandFact,
  type ErrorFact,
  emptyLedger,
  type FileFact,
  type Ledger,
  type SaidFact,
  type TodoFact,
  type ValueFact,
} from "./ledger.ts";
export { readLedgerLines } from "./read-ledger-lines.ts";
export { type LedgerLinesOptions, type LedgerSections, ledgerLines } from "./render-ledger.ts";
export { updateLedger } from "./update-ledger.ts";
