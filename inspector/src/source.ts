/** Source: where the page gets what it shows: the server beside it, or the page itself where it was exported. */
import type {
  AppliedView,
  CompactionView,
  ConversationRow,
  ConversationView,
  CostView,
  ItemView,
  MessageView,
  PlanBody,
  SearchView,
  SessionView,
  UndoneView,
} from "../../src/inspect/views.ts";
import { embeddedSource } from "./embedded-source.ts";
import { httpSource } from "./http-source.ts";

export interface Source {
  session(): Promise<SessionView>;
  conversations(signal?: AbortSignal): Promise<readonly ConversationRow[]>;
  conversation(id: string, signal?: AbortSignal): Promise<ConversationView>;
  messages(id: string, from: number, count: number): Promise<readonly MessageView[]>;
  compaction(id: string, signal?: AbortSignal): Promise<CompactionView>;
  preview(body: PlanBody, signal?: AbortSignal): Promise<CompactionView>;
  apply(body: PlanBody): Promise<AppliedView>;
  undo(compaction: string): Promise<UndoneView>;
  search(query: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<SearchView>;
  /** A page of the lines of an original. */
  item(id: string, from: number, count: number, signal?: AbortSignal): Promise<ItemView>;
  /** @param window the conversation's own unless it is given */
  cost(conversation: string, window: number | undefined, signal?: AbortSignal): Promise<CostView>;
  /** Tells of rows that changed, until the returned function is called. */
  live(onRow: (row: ConversationRow) => void): () => void;
}

const embedded = document.getElementById("pith-data")?.textContent;

export const source: Source = embedded ? embeddedSource(JSON.parse(embedded)) : httpSource();
