import { RawSvg } from './raw-svg.tsx'
import { words } from './words.ts'

interface NamedLink {
  title: string
  href: string
}

export interface StorySummary {
  id: string
  title: string
  href: string
  summary?: string
  author?: string
  /** Formatted for the reader. */
  date?: string
  /** ISO date, for machines. */
  dateTime?: string
  /** `isDrawn`: the picture that is made of its first figure, which is shown whole; others are cut to their room. */
  image?: { src: string; alt: string; width: number; height: number; isDrawn?: boolean }
  /** A small chart when the story has no picture; decoration, so it says nothing to screen readers. */
  svg?: string
  /** What the sources that it uses are about, and these sources. */
  topics?: NamedLink[]
  sources?: NamedLink[]
}

interface StoryListProps {
  stories: readonly StorySummary[]
  /** The hub's first page shows a few, wider. */
  isFeatured?: boolean
  locale: string
}

/** Stories as cards, in their order. */
export function StoryList({ stories, isFeatured = false, locale }: StoryListProps) {
  return (
    <ul className={isFeatured ? 'stories is-featured' : 'stories'}>
      {stories.map((story) => (
        <li key={story.id}>
          <StoryCard {...story} locale={locale} />
        </li>
      ))}
    </ul>
  )
}

/** A story in a list: its picture, its title (the link), what it says, of whom and when, what it is about and made of. */
function StoryCard({ image, ...story }: StorySummary & { locale: string }) {
  const { isDrawn = false, ...picture } = image ?? {}
  return (
    <article className="story-card">
      {image ? (
        <img
          className={isDrawn ? 'story-image is-drawn' : 'story-image'}
          loading="lazy"
          decoding="async"
          {...picture}
          alt={image.alt}
        />
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
        <StoryFacts {...story} />
      </div>
    </article>
  )
}

function StoryFacts({
  author,
  date,
  dateTime,
  topics = [],
  sources = [],
  locale,
}: Omit<StorySummary, 'image'> & { locale: string }) {
  return (
    <>
      {author || date ? (
        <p className="story-by">
          {author ? <bdi>{author}</bdi> : null}
          {author && date ? ' · ' : null}
          {date ? <time dateTime={dateTime}>{date}</time> : null}
        </p>
      ) : null}
      {topics.length > 0 ? (
        <ul className="story-topics" aria-label={words(locale).topics}>
          {topics.map(({ title, href }) => (
            <li key={href}>
              <a href={href}>{title}</a>
            </li>
          ))}
        </ul>
      ) : null}
      {sources.length > 0 ? (
        <div className="story-sources">
          <span>{words(locale).dataUsed}</span>
          <ul>
            {sources.map(({ title, href }) => (
              <li key={href}>
                <a href={href}>{title}</a>
              </li>
            ))}
          </ul>
        </div>
      ) : null}
    </>
  )
}
