import type { ReactElement } from 'react'
import { Figure } from './figure.tsx'
import type { FigureProps } from './figure.tsx'
import { NumberFigure } from './number-figure.tsx'
import type { NumberFigureProps } from './number-figure.tsx'
import { RichText } from './rich-text.tsx'
import { StaleNotice } from './stale-notice.tsx'
import { hubTexts } from './texts.ts'

interface StoryPicture {
  src: string
  alt: string
  width: number
  height: number
  caption?: string
  credit?: string
  /** Full width instead of text width. */
  isWide?: boolean
}

/** One block of a story; `html` is sanitised by the server. */
export type StoryContent =
  | { kind: 'text'; html: string; isBeside?: boolean }
  | { kind: 'insight'; figure: FigureProps }
  | { kind: 'number'; numbers: NumberFigureProps[] }
  | { kind: 'image'; image: StoryPicture }
  | {
      kind: 'video'
      src: string
      title: string
      poster?: string
      captionsSrc?: string
      transcriptHref?: string
    }
  | { kind: 'embed'; href: string; title: string }
  | { kind: 'divider' }
  | { kind: 'steps'; figure: FigureProps; steps: { html: string }[] }

export interface StoryPageProps {
  /** `storytelling`: wide figures with steps beside them; `blank`: a single column. */
  type: 'blank' | 'storytelling'
  title: string
  summary?: string
  author?: string
  date?: string
  dateTime?: string
  headerImage?: StoryPicture
  contents: StoryContent[]
  staleDate?: string
  locale: string
}

/** A data story as an article: title, summary, then its blocks in order. */
export function StoryPage(props: StoryPageProps) {
  const { type, title, summary, author, date, dateTime, headerImage, contents, locale } = props
  const w = hubTexts(locale)
  return (
    <article className={`page story is-${type}`}>
      <StaleNotice date={props.staleDate} locale={locale} />
      <header className="story-head">
        <h1>{title}</h1>
        {summary ? <p className="lede">{summary}</p> : null}
        {author || date ? (
          <p className="byline">
            {author ? <span>{author}</span> : null}
            {date ? (
              <span>
                {w.published} <time dateTime={dateTime}>{date}</time>
              </span>
            ) : null}
          </p>
        ) : null}
      </header>
      {headerImage ? <Picture {...headerImage} isWide credit={headerImage.credit} locale={locale} /> : null}
      {contents.map((content, i) => (
        <Block key={i} content={content} locale={locale} />
      ))}
    </article>
  )
}

function Block({ content, locale }: { content: StoryContent; locale: string }): ReactElement {
  const w = hubTexts(locale)
  switch (content.kind) {
    case 'text':
      return <RichText html={content.html} />
    case 'insight':
      return <Figure {...content.figure} level={2} />
    case 'number':
      return (
        <ul className="numbers">
          {content.numbers.map((number) => (
            <li key={number.label}>
              <NumberFigure {...number} />
            </li>
          ))}
        </ul>
      )
    case 'image':
      return <Picture {...content.image} locale={locale} />
    case 'video':
      return (
        <figure className="picture">
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption -- it has them where the author gave some */}
          <video controls preload="none" poster={content.poster} aria-label={content.title} src={content.src}>
            {content.captionsSrc ? (
              <track kind="captions" src={content.captionsSrc} srcLang={locale} default />
            ) : null}
          </video>
          <figcaption>
            {content.title}
            {content.transcriptHref ? <a href={content.transcriptHref}>{w.transcript}</a> : null}
          </figcaption>
        </figure>
      )
    case 'embed':
      return (
        <p className="embed">
          <a href={content.href} rel="noopener">
            {w.embed}: {content.title}
          </a>
        </p>
      )
    case 'divider':
      return <hr className="divider" />
    case 'steps':
      return (
        <section className="steps" aria-label={content.figure.title}>
          <div className="steps-figure">
            <Figure {...content.figure} level={2} />
          </div>
          <ol className="steps-text">
            {content.steps.map((step, i) => (
              <li key={i}>
                <RichText html={step.html} />
              </li>
            ))}
          </ol>
        </section>
      )
  }
}

function Picture({ isWide, caption, credit, locale, ...image }: StoryPicture & { locale: string }) {
  return (
    <figure className={isWide ? 'picture is-wide' : 'picture'}>
      <img decoding="async" {...image} alt={image.alt} />
      {caption || credit ? (
        <figcaption>
          {caption}
          {credit ? (
            <small>
              {hubTexts(locale).photo}: {credit}
            </small>
          ) : null}
        </figcaption>
      ) : null}
    </figure>
  )
}
