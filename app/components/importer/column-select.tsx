import type { SeenColumn } from './trial.ts'

interface ColumnSelectProps {
  name: string
  label: string
  start: string
  paths: SeenColumn[]
  /** The label of the empty choice. */
  none?: string
  onChange?(path: string): void
}

/** A select of the detected columns, and those in a mapping. */
export function ColumnSelect({
  name,
  label,
  start,
  paths,
  none = 'Choose a column…',
  onChange,
}: ColumnSelectProps) {
  const startOption = paths.some(({ path }) => path === start) || start === '' ? [] : [start]
  return (
    <select
      name={name}
      aria-label={label}
      defaultValue={start}
      onChange={(event) => onChange?.(event.currentTarget.value)}
    >
      <option value="">{none}</option>
      {[...startOption, ...paths.map(({ path }) => path)].map((path) => (
        <option key={path} value={path}>
          {path}
        </option>
      ))}
    </select>
  )
}
