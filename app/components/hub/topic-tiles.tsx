import { hubTexts } from './texts.ts'

export interface TopicSummary {
  name: string
  href: string
  /** The number of its sources. */
  count: number
}

/** Topics, each with its number of sources. */
export function TopicTiles({ topics, locale }: { topics: readonly TopicSummary[]; locale: string }) {
  const w = hubTexts(locale)
  return (
    <ul className="topic-tiles">
      {topics.map(({ name, href, count }) => (
        <li key={href}>
          <a href={href}>
            <bdi className="domain-name">{name}</bdi>
            <span className="domain-count">{w.indicators(count)}</span>
          </a>
        </li>
      ))}
    </ul>
  )
}
