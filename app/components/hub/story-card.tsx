import { RawSvg } from './raw-svg.tsx'
import { hubTexts } from './texts.ts'

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
  /** Formatted. */
  date?: string
  /** ISO date. */
  dateTime?: string
  /** `isDrawn`: rendered from its first figure, and not cropped like others. */
  image?: { src: string; alt: string; width: number; height: number; isDrawn?: boolean }
  /** A small chart if the story has no picture; decorative, hidden from screen readers. */
  svg?: string
  /** The sources it uses, and their topics. */
  topics?: NamedLink[]
  sources?: NamedLink[]
}

interface StoryListProps {
  stories: readonly StorySummary[]
  /** Wider cards, on the hub's home page. */
  isFeatured?: boolean
  locale: string
}

/** Stories as cards, in the given order. */
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

/** The card of a story: picture, title (the link), summary, author and date, topics and sources. */
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
        <ul className="story-topics" aria-label={hubTexts(locale).topics}>
          {topics.map(({ title, href }) => (
            <li key={href}>
              <a href={href}>{title}</a>
            </li>
          ))}
        </ul>
      ) : null}
      {sources.length > 0 ? (
        <div className="story-sources">
          <span>{hubTexts(locale).dataUsed}</span>
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
