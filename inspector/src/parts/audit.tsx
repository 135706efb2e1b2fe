/** Audit: what a model's summary left out and was put back, and what it made up and was struck. */
import type { AuditView } from "../../../src/inspect/views.ts";
import { visibleText } from "../visible-text.ts";
import { count, many, share } from "../words.ts";
import { Facts } from "./facts.tsx";

export function Audit({ audit }: { readonly audit: AuditView | undefined }) {
  if (!audit) return <p class="note">No summary by a model was asked for: there is nothing to audit.</p>;
  return (
    <div class="audit">
      <Facts
        facts={[
          { name: "Written by", value: audit.summarizer ?? "nobody" },
          { name: "Must-keeps it held", value: share(audit.coverage) },
          { name: "Put back", value: count(audit.putBack) },
          { name: "Struck", value: many(audit.struck, "sentence") },
        ]}
      />
      {audit.failure && <p class="fault">{audit.failure}</p>}
      <Lines title="It left out, and they were put back" lines={audit.putBackLines} />
      <Lines title="It made up, and they were struck" lines={audit.invented} />
      <Lines
        title="Asked"
        lines={audit.attempts.map(({ summarizer, failure }) =>
          failure ? `${summarizer}: ${failure}` : `${summarizer}: answered`,
        )}
      />
    </div>
  );
}

function Lines({ title, lines }: { readonly title: string; readonly lines: readonly string[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={line} dir="auto">
            {visibleText(line)}
          </li>
        ))}
      </ul>
    </>
  );
}
