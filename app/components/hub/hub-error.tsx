import { errorKind } from '../state/error-texts.ts'
import { words } from './words.ts'

interface HubErrorProps {
  /** The HTTP status the page is sent with. */
  status: number
  /** The address to try again; the page itself. */
  currentPath: string
  locale: string
  base?: string
}

/** Says what went wrong in the product's words; Try again is a link to the same address. */
export function HubError({ status, currentPath, locale, base = '' }: HubErrorProps) {
  const w = words(locale)
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
