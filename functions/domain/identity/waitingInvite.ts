import { sql } from 'kysely'

/** For statements of the product itself, before it is known who asks; a person's are told by `waiting_invites()`. The newest invitation that waits for the confirmed address of a person, `u`, to a place they are not in: its id and that place's name. */
export const waitingInvite = sql`
  select i.id, p.display_name as place_name
  from invite i join place p on p.id = i.place_id and p.deleted_at is null
  where u.email_verified and i.email = u.email and i.status = 'pending' and i.expires_at > now()
    and not exists (select from place_user m where m.place_id = i.place_id and m.user_id = u.id)
  order by i.sent_at desc, i.id
  limit 1`
