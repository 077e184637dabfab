import { nearestSlots } from '#functions/shapes/nearest-slots.ts'
import { frameTexts, hubTexts } from './texts.ts'

/**
 * The 404 page, with a search and a slot for suggested pages that the edge fills. Back links home; the island turns it into history
 * back.
 */
export function NotFound({ locale, base = '' }: { locale: string; base?: string }) {
  const w = hubTexts(locale)
  const { nearest, searchInstead } = frameTexts(locale)
  return (
    <div className="page">
      <div className="state">
        <h1 className="state-title">{w.notFound}</h1>
        <p className="state-text">{w.notFoundText}</p>
        <section className="state-nearest" data-nearest="" hidden aria-labelledby="nearest">
          <h2 id="nearest">{nearest}</h2>
          <ul>
            <li>
              <a href={base || '/'}>{nearestSlots.pages}</a>
            </li>
          </ul>
        </section>
        <form className="state-search" action={base || '/'} method="get">
          <label htmlFor="search-instead">{searchInstead}</label>
          <input
            id="search-instead"
            type="search"
            name="search"
            defaultValue={nearestSlots.words}
            maxLength={200}
            required
          />
          <button type="submit" className="button">
            {w.searchButton}
          </button>
        </form>
        <p className="state-actions">
          <a className="button is-primary" href={base || '/'} data-back="">
            {w.back}
          </a>
          <a className="button" href={base + '/domains'}>
            {w.allDomains}
          </a>
        </p>
      </div>
    </div>
  )
}
