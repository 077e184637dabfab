import { ShortForm } from '#app/components/form/edit-form.tsx'
import { TextField } from '#app/components/form/field.tsx'
import { ListBar } from '#app/components/list/list-bar.tsx'
import type { ListOffer, ListQuery } from '#app/components/list/list-query.ts'
import { Pager } from '#app/components/list/pager.tsx'
import { Day } from '#app/components/list/time.tsx'
import { EmptyState } from '#app/components/state/empty-state.tsx'

export interface PlacesProps {
  query: ListQuery
  sorts: ListOffer['sorts']
  places: { id: string; displayName: string; isHub: boolean; createdAt: Date | string; url: string }[]
  total: number
}

/** All organizations, and the form that makes one. */
export function Places({ query, sorts, places, total }: PlacesProps) {
  return (
    <>
      <ListBar query={query} sorts={sorts} searchLabel="Search organizations" />
      {places.length ? (
        <ul className="list">
          {places.map(({ id, displayName, isHub, createdAt, url }) => (
            <li key={id} className="list-item">
              <div className="list-main">
                <p className="list-title">{isHub ? <a href={url}>{displayName}</a> : displayName}</p>
                <p className="list-note">{id}</p>
              </div>
              <div className="list-meta">
                {isHub ? <span className="badge is-success">Hub</span> : null} <Day date={createdAt} />
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <EmptyState title="No results!" text="No organization fits what you are looking for." />
      )}
      <Pager query={query} shown={places.length} total={total} noun="organizations" />
      <ShortForm
        id="new"
        preventScrollReset
        key={total}
        names={['id', 'name', 'displayName']}
        save={{ intent: 'create', label: 'Create', doing: 'Creating…' }}
      >
        <h2>Create an organization</h2>
        <TextField label="Name" name="name" required maxLength={200} />
        <TextField
          label="Id"
          name="id"
          hint="The first part of its address: lower-case letters, digits and dashes. It cannot be changed later."
          required
          maxLength={63}
          pattern="[a-z0-9][a-z0-9\-]*"
          autoComplete="off"
        />
      </ShortForm>
    </>
  )
}
