export interface ChoicesFieldProps<Value extends string> {
  legend: string
  name: string
  options: readonly { value: Value; label: string; hint: string }[]
  /** The initial choice. */
  value: string
}

/** Radio buttons with their consequences, for choices that need explanation. */
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
