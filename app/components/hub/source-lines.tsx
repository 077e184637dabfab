/** A source in a list. */
export interface SourceLine {
  id: string
  title: string
  href: string
  /** What one chooses by, each in words: period, records, how new and how often, formats. */
  facts: string[]
  /** Why it is in this list, where that is not plain. */
  note?: string
}

/** Sources to read down: a name, and below it what one chooses by in one line. */
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

/** What one chooses a source by, in one line. */
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
