export interface NumberFigureProps {
  /** What the number measures. */
  label: string
  /** Formatted, without its unit. */
  value: string
  unit?: string
  /** The date or period of the value. */
  date?: string
  /** The change since the previous period, as a sentence: "8 % below September". */
  change?: string
  href?: string
}

/** A single number in large type. */
export function NumberFigure({ label, value, unit, date, change, href }: NumberFigureProps) {
  return (
    <div className="number">
      <p className="number-label">{href ? <a href={href}>{label}</a> : label}</p>
      <p className="number-value">
        {value}
        {unit ? <span className="number-unit"> {unit}</span> : null}
      </p>
      {change ? <p className="number-change">{change}</p> : null}
      {date ? <p className="number-date">{date}</p> : null}
    </div>
  )
}
