const height = 40

/** Bars relative to the largest; `label` summarizes them in a sentence. */
export function HistogramBars({ shares, label }: { shares: readonly number[]; label: string }) {
  return (
    <svg
      viewBox={`0 0 ${shares.length * 10} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {shares.map((share, i) => {
        // A minimum height keeps small bars visible.
        const size = share > 0 ? Math.max(1, share * height) : 0
        return <rect key={i} x={i * 10 + 0.5} y={height - size} width={9} height={size} />
      })}
    </svg>
  )
}
