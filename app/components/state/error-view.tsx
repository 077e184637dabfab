import { errorTexts } from './error-texts.ts'

interface ErrorViewProps {
  status: number
  /** The action of "Try again"; by default it reloads the page. */
  onRetry?: () => void
  /** The link of "Try again" without scripts; by default the page itself. */
  retryHref?: string
  /** Shown in small type, as a reference for support. */
  requestId?: string
  /** Which roles may do what was forbidden, in a sentence. */
  who?: string
  level?: 1 | 2
}

/** An error in place of the content: what happened, what to do, try again. */
export function ErrorView({ status, onRetry, retryHref, requestId, who, level = 1 }: ErrorViewProps) {
  const texts = errorTexts(status)
  const Title = level === 1 ? 'h1' : 'h2'
  const retry = onRetry ?? (() => window.location.reload())
  return (
    <div className="state" role="alert">
      <Title className="state-title">{texts.title}</Title>
      <p className="state-text">{texts.text}</p>
      {who ? <p className="state-text">{who}</p> : null}
      <div className="state-actions">
        {retryHref ? (
          <a className="button is-primary" href={retryHref}>
            Try again
          </a>
        ) : (
          <button type="button" className="button is-primary" onClick={retry}>
            Try again
          </button>
        )}
      </div>
      {requestId ? (
        <p className="state-id">
          Reference <code>{requestId}</code>
        </p>
      ) : null}
    </div>
  )
}
