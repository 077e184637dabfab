interface LoaderProps {
  /** In pixels; default 48. */
  size?: number
  /** In pixels; default 4. */
  stroke?: number
  /** What is loading, for screen readers. */
  label?: string
  /** The progress, 0 to 1, if known. */
  progress?: number
}

/** "Slow-task loaders": the message after three seconds. */
export const slowWords = 'This can take a bit!'

/** A spinner; after three seconds with a message. */
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
