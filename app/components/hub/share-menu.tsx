import { Icon } from './icons.tsx'
import { hubTexts } from './texts.ts'

/** The sharing data of a page: absolute URLs, and HTML for other sites. */
export interface Share {
  /** The short link to the page. */
  link: string
  /** The iframe HTML of the page's figure; absent without one. */
  embed?: string
  /** The path of the page's picture. */
  picture: string
}

/** The sharing options, with copy buttons; without scripts the texts can be selected and copied. */
export function ShareMenu({ share, locale }: { share: Share; locale: string }) {
  const w = hubTexts(locale)
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
  const w = hubTexts(locale)
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
