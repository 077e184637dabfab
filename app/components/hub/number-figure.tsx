export interface NumberFigureProps {
  /** What is counted. */
  label: string
  /** Formatted for the reader, without its unit. */
  value: string
  unit?: string
  /** The date or period of the value. */
  date?: string
  /** Compared with before, as a sentence: "8 % below September". */
  change?: string
  href?: string
}

/** One number large enough to be the message. */
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
