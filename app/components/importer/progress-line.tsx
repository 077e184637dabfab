interface ProgressLineProps {
  /** What is being done: "Uploading trees.csv". */
  label: string
  /** Undefined: it is not known how much there is. */
  value?: number
  max?: number
  /** How far it is, in words. */
  text: string
}

/** How far something is, as a bar with numbers beside it. Told politely to those who hear it. */
export function ProgressLine({ label, value, max, text }: ProgressLineProps) {
  return (
    <div className="progress-box">
      <p className="row">
        <span className="grow">{label}</span>
        <span className="num" role="status">
          {text}
        </span>
      </p>
      <progress
        className={value === undefined ? 'progress is-endless' : 'progress'}
        aria-label={label}
        value={value}
        max={max}
      />
    </div>
  )
}
