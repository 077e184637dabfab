import { Link } from '@remix-run/react'

/** Says that an invitation waits, and leads to it; nothing without one. */
export function WaitingInvite({ invite }: { invite: { id: string; placeName: string } | null }) {
  return invite ? (
    <p className="notice">
      You are invited to {invite.placeName}. <Link to={`/invite/${invite.id}`}>See the invitation</Link>
    </p>
  ) : null
}
