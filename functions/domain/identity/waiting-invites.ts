import { sql } from 'kysely'

/**
 * SQL for the pending invitations of a person `u` (to their confirmed address, into places they are not in), the
 * newest first and twenty at most: id, name of the place, and when it was sent. For statements of the system actor, before the actor is known; for a
 * person's own use `waiting_invites()`.
 */
export const waitingInvites = sql`
  select i.id, p.display_name as place_name, i.sent_at
  from invite i join place p on p.id = i.place_id and p.deleted_at is null
  where u.email_verified and i.email = u.email and i.status = 'pending' and i.expires_at > now()
    and not exists (select from place_user m where m.place_id = i.place_id and m.user_id = u.id)
  order by i.sent_at desc, i.id
  limit 20`
