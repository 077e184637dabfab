interface LoaderProps {
  /** Pixels; 48 when not given. */
  size?: number
  /** Pixels; 4 when not given. */
  stroke?: number
  /** What is being loaded, for screen readers. */
  label?: string
  /** Done so far, 0 to 1, where a number exists. */
  progress?: number
}

/** "Slow-task loaders": what is said once something takes longer than three seconds. */
export const slowWords = 'This can take a bit!'

/** A turning ring; after three seconds it says that this can take a bit. */
export function Loader({ size = 48, stroke = 4, label = 'Loading', progress }: LoaderProps) {
  const centre = size / 2
  const ring = { cx: centre, cy: centre, r: centre - stroke / 2, strokeWidth: stroke }
  return (
    <div className="loader" role="status">
      <svg
        className="loader-ring"
        width={size}
        height={size}
        viewBox={`0 0 ${size} ${size}`}
        aria-hidden="true"
      >
        <circle {...ring} />
        <circle {...ring} />
      </svg>
      <span className="sr-only">{label}</span>
      {progress === undefined ? null : <span>{Math.round(progress * 100)} %</span>}
      <span className="loader-note">{slowWords}</span>
    </div>
  )
}
