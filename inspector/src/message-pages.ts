/** MessagePages: the messages of a conversation, asked for a page at a time as they come into sight, and kept. */
import { signal } from "@preact/signals";
import type { MessageView } from "../../src/inspect/views.ts";
import { source } from "./source.ts";

const size = 100;

export interface MessagePages {
  /** Reading it in a component draws that anew when a page has come. */
  at(position: number): MessageView | undefined;
  /** Asks for what is missing between the two. */
  need(from: number, to: number): void;
}

export function messagePages(conversation: string): MessagePages {
  const arrived = signal(0);
  const pages = new Map<number, readonly MessageView[] | "asked">();
  const ask = async (page: number) => {
    pages.set(page, "asked");
    try {
      pages.set(page, await source.messages(conversation, page * size, size));
    } catch {
      // Asked again when it comes into sight again.
      pages.delete(page);
    }
    arrived.value++;
  };
  return {
    at: (position) => {
      void arrived.value;
      const page = pages.get(Math.floor(position / size));
      return page === "asked" ? undefined : page?.[position % size];
    },
    need: (from, to) => {
      for (let page = Math.floor(from / size); page * size < to; page++) if (!pages.has(page)) void ask(page);
    },
  };
}
