import { EmptyState } from '#app/components/state/empty-state.tsx'
import { StoryList } from '#app/components/hub/story-card.tsx'
import type { StorySummary } from '#app/components/hub/story-card.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'

export interface StoriesIndexProps {
  /** Newest first. */
  stories: StorySummary[]
  intro?: string
  locale: string
}

/** All published public stories of the place. */
export function StoriesIndex({ stories, intro, locale }: StoriesIndexProps) {
  const w = hubTexts(locale)
  return (
    <div className="page">
      <header className="page-head">
        <h1>{w.stories}</h1>
        {intro ? <p className="lede">{intro}</p> : null}
      </header>
      {stories.length === 0 ? (
        <EmptyState title={w.noStories} text={w.noStoriesText} level={2} />
      ) : (
        <>
          <h2 className="sr-only">{w.allStories}</h2>
          <StoryList stories={stories} locale={locale} />
        </>
      )}
    </div>
  )
}
