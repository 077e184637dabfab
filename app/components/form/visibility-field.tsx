import { visibilityLevels, type Visibility } from '../list/badges.tsx'

export interface VisibilityFieldProps {
  legend: string
  /** What is chosen at first. */
  value: Visibility
}

/** Who sees a thing, as a choice with its consequences beside it: where it matters more than a line of a list. */
export function VisibilityField({ legend, value }: VisibilityFieldProps) {
  return (
    <fieldset className="fieldset">
      <legend>{legend}</legend>
      {visibilityLevels.map(({ level, label, who }) => (
        <label key={level} className="choice">
          <input type="radio" name="visibility" value={level} defaultChecked={level === value} />
          <span>
            <b>{label}</b>
            <br />
            <span className="muted">{who}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
