export interface ChoicesFieldProps<Value extends string> {
  legend: string
  name: string
  options: readonly { value: Value; label: string; hint: string }[]
  /** What is chosen at first. */
  value: string
}

/** One of a few, each with its consequences beside it: where the choice matters more than a line of a list. */
export function ChoicesField<Value extends string>({
  legend,
  name,
  options,
  value,
}: ChoicesFieldProps<Value>) {
  return (
    <fieldset className="fieldset">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="choice">
          <input type="radio" name={name} value={option.value} defaultChecked={option.value === value} />
          <span>
            <b>{option.label}</b>
            <br />
            <span className="muted">{option.hint}</span>
          </span>
        </label>
      ))}
    </fieldset>
  )
}
