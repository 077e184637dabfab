import { errorKind } from '../state/error-texts.ts'
import { hubTexts } from './texts.ts'

interface HubErrorProps {
  /** The HTTP status of the page. */
  status: number
  /** The URL of the page, for "Try again". */
  currentPath: string
  locale: string
  base?: string
}

/** The error message for a status; "Try again" links to the same page. */
export function HubError({ status, currentPath, locale, base = '' }: HubErrorProps) {
  const w = hubTexts(locale)
  const texts = w.errors[errorKind(status)]
  return (
    <div className="page">
      <div className="state" role="alert">
        <h1 className="state-title">{texts.title}</h1>
        <p className="state-text">{texts.text}</p>
        <p className="state-actions">
          <a className="button is-primary" href={base + currentPath}>
            {w.tryAgain}
          </a>
          <a className="button" href={base || '/'}>
            {w.toHome}
          </a>
        </p>
      </div>
    </div>
  )
}
