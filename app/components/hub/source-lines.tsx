/** A source in a list. */
export interface SourceLine {
  id: string
  title: string
  href: string
  /** Facts for the choice, formatted: period, records, date and frequency of updates, formats. */
  facts: string[]
  /** Why it is in this list, if not obvious. */
  note?: string
}

/** A list of sources: name, and facts in one line below. */
export function SourceLines({ sources }: { sources: readonly SourceLine[] }) {
  return (
    <ul className="source-lines">
      {sources.map(({ id, title, href, facts, note }) => (
        <li key={id}>
          <a href={href}>{title}</a>
          {note ? <span className="muted">{note}</span> : null}
          <SourceFacts facts={facts} />
        </li>
      ))}
    </ul>
  )
}

/** The facts of a source in one line. */
export function SourceFacts({ facts }: { facts: readonly string[] }) {
  return (
    <ul className="result-facts">
      {facts.map((fact) => (
        <li key={fact}>
          <bdi>{fact}</bdi>
        </li>
      ))}
    </ul>
  )
}
