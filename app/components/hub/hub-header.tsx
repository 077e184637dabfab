import { HubLogo } from './hub-logo.tsx'
import { HubLanguages, HubMenu } from './hub-menu.tsx'
import type { HubFrame } from './hub-shell.tsx'
import { Icon } from './icons.tsx'
import { ShareMenu } from './share-menu.tsx'
import { hubTexts } from './texts.ts'

/** The header: name of the place, number of sources, search box, languages and theme. */
export function HubHeader(frame: HubFrame) {
  const { place, indicatorsCount, locale, base = '' } = frame
  const w = hubTexts(locale)
  return (
    <header className="hub-header">
      <div className="hub-header-row">
        <div className="hub-brand">
          <a className={place.logos?.wide ? 'hub-name has-wide-logo' : 'hub-name'} href={base || '/'}>
            <HubLogo {...place.logos} />
            <span>{place.displayName}</span>
          </a>
          {indicatorsCount === undefined ? null : (
            <p className="hub-count">{w.indicators(indicatorsCount)}</p>
          )}
        </div>
        <SearchBox {...frame} />
        <div className="hub-tools">
          <HubLanguages {...frame} />
          {frame.share ? <ShareMenu share={frame.share} locale={locale} /> : null}
          <button
            type="button"
            className="hub-tool keeps-room"
            data-theme-toggle=""
            aria-pressed="false"
            aria-label={w.darkTheme}
            title={w.darkTheme}
            hidden
          >
            <Icon name="moon" />
          </button>
          <HubMenu {...frame} />
        </div>
      </div>
    </header>
  )
}

/** A plain form (`/search?search=`) that works without scripts; the search island adds suggestions. */
function SearchBox({ place, searchQuery, locale, base = '' }: HubFrame) {
  const w = hubTexts(locale)
  return (
    <div className="hub-search" data-search="" data-place={place.id} data-base={base}>
      <form action={`${base}/search`} method="get" role="search" aria-label={w.searchLabel}>
        <label className="sr-only" htmlFor="hub-search">
          {w.searchLabel}
        </label>
        <input
          id="hub-search"
          type="search"
          name="search"
          placeholder={w.searchPlaceholder}
          defaultValue={searchQuery}
          maxLength={200}
          autoComplete="off"
          enterKeyHint="search"
        />
        <button type="submit" aria-label={w.searchButton}>
          <Icon name="search" />
        </button>
      </form>
      <div className="hub-search-panel" data-search-panel="" hidden>
        <p role="status" data-search-status="" />
        <ul data-search-list="" />
        <p>
          <a data-search-page="" href={`${base}/search`}>
            {w.searchPage}
          </a>
        </p>
      </div>
    </div>
  )
}
