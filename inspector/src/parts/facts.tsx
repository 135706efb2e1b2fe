/** Facts: a row of figures, each with its name. */
import type { ComponentChildren } from "preact";

export interface Fact {
  readonly name: string;
  readonly value: ComponentChildren;
  /** Said when the pointer rests on it, and below it in small. */
  readonly more?: string | undefined;
}

export function Facts({ facts }: { readonly facts: readonly (Fact | false | undefined)[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div key={fact.name}>
              <dt>{fact.name}</dt>
              <dd>
                {fact.value}
                {fact.more && <small>{fact.more}</small>}
              </dd>
            </div>
          ),
      )}
    </dl>
  );
}
