interface ProgressLineProps {
  /** The operation: "Uploading trees.csv". */
  label: string
  /** Undefined: the total is unknown. */
  value?: number
  max?: number
  /** The progress in words. */
  text: string
}

/** A progress bar with text, announced politely to screen readers. */
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
