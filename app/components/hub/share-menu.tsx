import { Icon } from './icons.tsx'
import { words } from './words.ts'

/** How a page is shared: whole addresses, and HTML for other sites. */
export interface Share {
  /** A short address that leads to the page. */
  link: string
  /** HTML of a frame with the page's figure; absent for pages that have none. */
  embed?: string
  /** The path of the page's picture. */
  picture: string
}

/** The ways to share a page, to be copied; without scripts the texts can be marked and copied by hand. */
export function ShareMenu({ share, locale }: { share: Share; locale: string }) {
  const w = words(locale)
  return (
    <details className="hub-share" data-menu="">
      <summary className="hub-tool" aria-label={w.share} title={w.share}>
        <Icon name="share" />
      </summary>
      <div className="hub-share-panel">
        <Copied label={w.shareLink} text={share.link} locale={locale} />
        {share.embed ? <Copied label={w.shareEmbed} text={share.embed} locale={locale} /> : null}
        <a href={share.picture} download>
          {w.sharePicture}
        </a>
      </div>
    </details>
  )
}

function Copied({ label, text, locale }: { label: string; text: string; locale: string }) {
  const w = words(locale)
  return (
    <div className="hub-copy" data-copy="">
      <label>
        {label}
        <input type="text" readOnly value={text} dir="ltr" />
      </label>
      <button type="button" data-copied={w.copied} aria-label={`${w.copy}: ${label}`} hidden>
        {w.copy}
      </button>
    </div>
  )
}
