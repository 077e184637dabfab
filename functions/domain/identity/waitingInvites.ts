import { sql } from 'kysely'

/**
 * SQL for the newest pending invitation of a person `u` (to their confirmed address, into a place they are
 * not in): its id and the place's name. For statements of the system actor, before the actor is known; for a
 * person's own use `waiting_invites()`.
 */
export const waitingInvite = sql`
  select i.id, p.display_name as place_name
  from invite i join place p on p.id = i.place_id and p.deleted_at is null
  where u.email_verified and i.email = u.email and i.status = 'pending' and i.expires_at > now()
    and not exists (select from place_user m where m.place_id = i.place_id and m.user_id = u.id)
  order by i.sent_at desc, i.id
  limit 1`
