import { Link } from '@remix-run/react'
import { EmptyState } from '#app/components/state/empty-state.tsx'

export interface NoPlaceProps {
  isSuperAdmin: boolean
  /** The person has organizations. */
  hasOwn: boolean
}

/** "Data" of a personal account: the ways to an organization, and to what is public. */
export function NoPlace({ isSuperAdmin, hasOwn }: NoPlaceProps) {
  const mayGetOne = !isSuperAdmin
  return (
    <EmptyState
      title="Your personal account has no data"
      text={
        mayGetOne
          ? `Data belong to organizations. ${hasOwn ? 'Go to one of yours' : 'Get one'}, or look at what others have made public.`
          : 'Data belong to organizations. Choose one in the switcher, or look at what others have made public.'
      }
      action={
        <>
          {mayGetOne ? (
            <Link className="button is-primary" to="/organization/new">
              {hasOwn ? 'Go to an organization' : 'Get an organization'}
            </Link>
          ) : null}
          <Link className={mayGetOne ? 'button' : 'button is-primary'} to="/explore">
            Explore public data
          </Link>
        </>
      }
    />
  )
}
