/** PlanControls: the preset and the target of a plan. */
import type { ComponentChildren } from "preact";
import { session } from "../session.ts";
import { count } from "../words.ts";

export interface PlanWishes {
  readonly preset: string;
  /** Of the tokens that there are now. */
  readonly percent: number;
  readonly pins: readonly number[];
  /** Stands for the plan's own. */
  readonly handOff?: string;
}

interface PlanControlsProps {
  readonly wishes: PlanWishes;
  /** What the target is a share of. */
  readonly tokens: number;
  readonly onChange: (wishes: PlanWishes) => void;
  readonly children: ComponentChildren;
}

export function PlanControls({ wishes, tokens, onChange, children }: PlanControlsProps) {
  const inTokens = Math.round((tokens * wishes.percent) / 100);
  return (
    <div class="tools panel">
      <label>
        Preset
        <select
          value={wishes.preset}
          onChange={(event) => onChange({ ...wishes, preset: event.currentTarget.value })}
        >
          {session.value?.presets.map(({ name }) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="grow">
        <span>
          Target <b>{wishes.percent}%</b> <span class="note">about {count(inTokens)} tokens</span>
        </span>
        <input
          type="range"
          min="2"
          max="98"
          value={wishes.percent}
          aria-valuetext={`${wishes.percent} percent, about ${count(inTokens)} tokens`}
          onInput={(event) => onChange({ ...wishes, percent: Number(event.currentTarget.value) })}
        />
      </label>
      {wishes.pins.length > 0 && (
        <button type="button" onClick={() => onChange({ ...wishes, pins: [] })}>
          Unpin all ({wishes.pins.length})
        </button>
      )}
      {children}
    </div>
  );
}
