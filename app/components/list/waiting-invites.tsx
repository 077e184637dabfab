import { Link } from '@remix-run/react'

/** A notice of each pending invitation of the person, with its link, the newest first; nothing without any. */
export function WaitingInvites({ invites }: { invites: readonly { id: string; placeName: string }[] }) {
  return invites.map(({ id, placeName }) => (
    <p key={id} className="notice">
      You are invited to {placeName}.{' '}
      <Link to={`/invite/${id}`}>
        See the invitation<span className="sr-only"> to {placeName}</span>
      </Link>
    </p>
  ))
}
