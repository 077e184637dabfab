import { formatNumber } from '#app/components/list/number-format.ts'
import { Form, Link } from '@remix-run/react'
import { describeIdChanges, thingWords } from '#app/components/archive/archive-words.ts'
import { SubmitButton } from '#app/components/form/submit-button.tsx'
import type { ShownReview } from './imported.tsx'

type Item = ShownReview['items'][number]

const words: Record<Item['noun'], string> = {
  boundarySet: 'Boundary set',
  dataType: 'Data type',
  source: 'Source',
  insight: 'Insight',
  collection: 'Collection',
  page: 'Page',
  place: 'The hub',
  importer: 'Importer',
  observer: 'Observer',
}

/** The link to a thing. */
export function getItemPath({ noun, id, within }: Pick<Item, 'noun' | 'id' | 'within'>): string {
  switch (noun) {
    case 'boundarySet':
      return `/boundaries/${id}`
    case 'dataType':
      return `/types/${id}`
    case 'source':
      return `/sources/${id}`
    case 'insight':
      return `/insights/${id}`
    case 'collection':
      return `/collections/${id}`
    case 'page':
      return `/pages/${within}/${id}`
    case 'place':
      return '/org/manage/hub'
    case 'importer':
      return `/sources/${within}/importers/${id}`
    case 'observer':
      return `/types/${within}/observers/${id}`
  }
}

const states = {
  off: { word: 'Off', className: 'badge is-warning' },
  on: { word: 'On', className: 'badge is-success' },
  gone: { word: 'Deleted', className: 'badge' },
}

/** Things that arrived switched off: their former and current state, and the button that switches them on. */
export function ImportedItems({ items, verb }: { items: Item[]; verb: string }) {
  return (
    <ul className="list">
      {items.map((item) => (
        <li key={`${item.noun} ${item.id}`} className="list-item">
          <div className="list-main">
            <p className="list-title">
              <span className={states[item.state].className}>{states[item.state].word}</span>{' '}
              {item.state === 'gone' ? (
                item.name
              ) : (
                <Link to={getItemPath(item)} dir="auto">
                  {item.name}
                </Link>
              )}
            </p>
            <p className="list-note">
              {words[item.noun]}, was {item.was}
            </p>
          </div>
          {item.state === 'off' ? (
            <Form method="post" className="list-meta" preventScrollReset>
              <input type="hidden" name="noun" value={item.noun} />
              <input type="hidden" name="id" value={item.id} />
              <SubmitButton intent="one" className="button is-small">
                {verb}
                <span className="sr-only"> {item.name}</span>
              </SubmitButton>
            </Form>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** What was left out of the import, and what has another id here. */
export function ImportOmissions({ review }: { review: ShownReview }) {
  const { leftOut, leftOutCount, renamed, renamedCount, items } = review
  const now = new Map(renamed.map(({ noun, from, id }) => [`${noun} ${from}`, id]))
  const findItem = (noun: string, id: string) =>
    items.find(
      (each) => each.noun === noun && each.state !== 'gone' && each.id === (now.get(`${noun} ${id}`) ?? id),
    )
  return (
    <>
      {leftOutCount > 0 ? (
        <section className="stack" aria-labelledby="left-out">
          <h2 id="left-out">
            Not imported <span className="muted">{formatNumber(leftOutCount)}</span>
          </h2>
          <ul>
            {leftOut.map(({ noun, id, why }) => {
              const item = findItem(noun, id)
              return (
                <li key={`${noun} ${id} ${why}`}>
                  {item ? (
                    <Link to={getItemPath(item)} dir="auto">
                      {item.name}
                    </Link>
                  ) : (
                    `${thingWords(noun)} ${id}`
                  )}
                  : {why}
                </li>
              )
            })}
          </ul>
          <First visibleCount={leftOut.length} count={leftOutCount} />
        </section>
      ) : null}
      {renamedCount > 0 ? (
        <section className="stack" aria-labelledby="renamed">
          <h2 id="renamed">
            Has another id here <span className="muted">{formatNumber(renamedCount)}</span>
          </h2>
          <p className="muted">
            Its own was taken. Links within the organization lead to the new one; programs and links from
            elsewhere need to be told.
          </p>
          <ul>
            {describeIdChanges(renamed).map((line) => (
              <li key={line} className="anywhere">
                {line}
              </li>
            ))}
          </ul>
          <First visibleCount={renamed.length} count={renamedCount} />
        </section>
      ) : null}
    </>
  )
}

function First({ visibleCount, count }: { visibleCount: number; count: number }) {
  return visibleCount < count ? <p className="muted">The first {visibleCount} are listed.</p> : null
}
