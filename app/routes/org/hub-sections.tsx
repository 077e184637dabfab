import { Form, Link, useSearchParams } from '@remix-run/react'
import { useEffect, useRef } from 'react'
import { LazyReorderList } from '#app/components/insight/lazy-reorder-list.tsx'
import { useOrder } from '#app/components/insight/use-order.ts'
import { hubSections, type HubSection } from '#functions/shapes/hub-section.ts'

const names: Record<HubSection, string> = {
  numbers: 'Key numbers',
  chart: 'Chart',
  stories: 'Stories',
  domains: 'Domains',
  map: 'Map',
}

export interface HubSectionsProps {
  /** The shown sections in order. */
  visibleSections: readonly HubSection[]
  /** A note on each: what it shows now. */
  notes: Record<HubSection, string>
}

/** The choice and order of the home page's sections: by drag and drop, keyboard, or buttons. */
export function HubSections({ visibleSections, notes }: HubSectionsProps) {
  const order = useOrder()
  const lastPress = useFollowed(visibleSections)
  const [search] = useSearchParams()
  const isArranging = search.has('arrange') && visibleSections.length > 1
  const hidden = hubSections.filter((name) => !visibleSections.includes(name))
  const isStandard = visibleSections.join() === hubSections.join()
  const row = (name: HubSection, intent: 'hide' | 'show', verb: string) => (
    <li key={name} className="list-item">
      <div className="list-main">
        <p className="list-title">{names[name]}</p>
        <p className="list-note">{notes[name]}</p>
      </div>
      <Form method="post" className="list-actions" preventScrollReset>
        <input type="hidden" name="item" value={name} />
        <button
          className="button is-small"
          name="intent"
          value={`section.${intent}`}
          data-section={name}
          onClick={() => (lastPress.current = { name, isShown: intent === 'hide' })}
        >
          {verb}
          <span className="sr-only"> {names[name]}</span>
        </button>
      </Form>
    </li>
  )
  return (
    <div className="stack">
      <p className="muted">
        What the first page shows below its title, in this order. Every change is saved, and the hub follows
        within seconds.
      </p>
      {isArranging ? (
        <LazyReorderList
          label="Sections of the first page"
          order={order}
          items={visibleSections.map((name) => ({ id: name, name: names[name], note: notes[name] }))}
        />
      ) : visibleSections.length ? (
        <ol className="list" aria-label="Sections of the first page">
          {visibleSections.map((name) => row(name, 'hide', 'Hide'))}
        </ol>
      ) : (
        <p className="notice">Nothing is shown below the title.</p>
      )}
      <div className="row">
        {visibleSections.length > 1 ? (
          <Link className="button is-small" to={isArranging ? '.' : '?arrange'} preventScrollReset>
            {isArranging ? 'Done' : 'Arrange'}
          </Link>
        ) : null}
        {isStandard ? null : (
          <Form method="post" preventScrollReset>
            <button className="button is-quiet is-small" name="intent" value="section.reset">
              As it was in the beginning
            </button>
          </Form>
        )}
      </div>
      {hidden.length && !isArranging ? (
        <>
          <h3>Hidden</h3>
          <ul className="list">{hidden.map((name) => row(name, 'show', 'Show'))}</ul>
        </>
      ) : null}
    </div>
  )
}

/** Keeps focus on a section that was hidden or shown, whose button moves to the other list. A change of order in between is not awaited. */
function useFollowed(sections: readonly HubSection[]) {
  const lastPress = useRef<{ name: HubSection; isShown: boolean } | null>(null)
  const sectionNames = sections.join()
  useEffect(() => {
    if (lastPress.current === null) return
    const { name, isShown } = lastPress.current
    if (sectionNames.split(',').includes(name) === isShown) return
    document.querySelector<HTMLElement>(`[data-section="${name}"]`)?.focus()
    lastPress.current = null
  }, [sectionNames])
  return lastPress
}
