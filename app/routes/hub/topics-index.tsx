import { TopicTiles, type TopicSummary } from '#app/components/hub/topic-tiles.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { EmptyState } from '#app/components/state/empty-state.tsx'

export interface TopicsIndexProps {
  /** Those with the most sources first. */
  topics: TopicSummary[]
  locale: string
}

/** All topics of a hub with their numbers of sources. */
export function TopicsIndex({ topics, locale }: TopicsIndexProps) {
  const w = hubTexts(locale)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{w.topics}</h1>
        <p className="lede">{w.topicsText}</p>
      </header>
      {topics.length === 0 ? (
        <EmptyState title={w.noTopics} text={w.noTopicsText} level={2} />
      ) : (
        <section aria-labelledby="topics">
          <h2 className="sr-only" id="topics">
            {w.allTopics}
          </h2>
          <TopicTiles topics={topics} locale={locale} />
        </section>
      )}
    </div>
  )
}
