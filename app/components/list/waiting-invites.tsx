import { Link } from '@remix-run/react'

/** A notice of a pending invitation, with its link; nothing without one. */
export function WaitingInvite({ invite }: { invite: { id: string; placeName: string } | null }) {
  return invite ? (
    <p className="notice">
      You are invited to {invite.placeName}. <Link to={`/invite/${invite.id}`}>See the invitation</Link>
    </p>
  ) : null
}
