// Chooses what can be recorded of a new asset.
import { BEHAVIOURS } from '../text/behaviours.ts';
import { CheckField } from './fields.tsx';

interface BehaviourChoiceProps {
  readonly chosen: readonly string[];
  readonly onChoose: (behaviours: readonly string[]) => void;
}

/** The behaviours, each with what it is for. */
export const BehaviourChoice = ({ chosen, onChoose }: BehaviourChoiceProps) => (
  <fieldset>
    <legend>Behaviours</legend>
    <p class="hint">What can be recorded of it. An event can add or remove one later.</p>
    {BEHAVIOURS.map(([name, text]) => (
      <CheckField
        key={name}
        name={`behaviours/${name}`}
        label={`${name}: ${text}`}
        isChecked={chosen.includes(name)}
        onCheck={(isChecked) => onChoose(isChecked ? [...chosen, name] : chosen.filter((each) => each !== name))}
      />
    ))}
  </fieldset>
);
