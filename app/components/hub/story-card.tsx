import { RawSvg } from './raw-svg.tsx'

export interface StorySummary {
  id: string
  title: string
  href: string
  summary?: string
  /** Formatted for the reader. */
  date?: string
  /** ISO date, for machines. */
  dateTime?: string
  image?: { src: string; alt: string; width: number; height: number }
  /** A small chart when the story has no picture; decoration, so it says nothing to screen readers. */
  svg?: string
}

/** A story in a list: its picture, its title (the link), what it says. */
export function StoryCard(story: StorySummary) {
  return (
    <article className="story-card">
      {story.image ? (
        <img className="story-image" loading="lazy" decoding="async" {...story.image} alt={story.image.alt} />
      ) : story.svg ? (
        <div className="story-image" aria-hidden="true">
          <RawSvg svg={story.svg} />
        </div>
      ) : null}
      <div className="story-text">
        <h3>
          <a href={story.href}>{story.title}</a>
        </h3>
        {story.summary ? <p>{story.summary}</p> : null}
        {story.date ? <time dateTime={story.dateTime}>{story.date}</time> : null}
      </div>
    </article>
  )
}
