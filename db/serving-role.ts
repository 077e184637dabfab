/**
 * Makes the database reject a role that row-level security does not bind: a superuser, a role with BYPASSRLS, the owner
 * of the tables or a member of it. Sent before the first statement of an isolate, in the same batch or transaction, so
 * it costs no round trip and nothing is read or written on failure. Raises 28000.
 */
const refuseUnboundRole = `do $$
  declare why text;
  begin
    select case
      when rolsuper then 'is a superuser'
      when rolbypassrls then 'has BYPASSRLS'
      when exists (select from pg_class where relrowsecurity and pg_has_role(relowner, 'usage')) then 'owns tables of the product'
    end into why from pg_roles where rolname = current_user;
    if why is not null then
      raise exception 'The product does not run as a role that row-level security does not bind, and "%" %. Set DATABASE_URL to the address that "npm run migrate" says.',
        current_user, why using errcode = '28000';
    end if;
  end $$`

/** The addresses that were connected to as a role that may serve. A role that changes later is seen by the next isolate. */
const bound = new Set<string>()

/** SQL to run before the first statement to `address`; null once that has passed. */
export function roleCheck(address: string): string | null {
  return bound.has(address) ? null : refuseUnboundRole
}

/** Notes that the check has passed. */
export function passRoleCheck(address: string): void {
  bound.add(address)
}
