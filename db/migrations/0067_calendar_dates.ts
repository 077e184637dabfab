import { sql, type Kysely } from 'kysely'
import { replaceInFunction } from '../row-security.ts'

/**
 * Calendar dates (fields of the type `date` with the precision `day`, `month` or `year`) are columns of the
 * type `date`, which has no zone. Converting an instant to a calendar date needs a zone, which the conversion
 * contains (`zones` of the new field by source, else its `zone`, else UTC), and the same for the reverse: the
 * start of the day there. An instant that is not midnight there, or a day that is not the first of its month
 * or year, does not convert; a lenient conversion truncates it.
 */
const changes: [name: string, before: string, after: string][] = [
  [
    'check_data_column(text, text)',
    "'double precision[]', 'boolean[]', 'timestamptz[]',",
    "'double precision[]', 'boolean[]', 'timestamptz[]', 'date', 'date[]',",
  ],
  [
    'make_field_index(text, text, integer)',
    "'bool'::regtype, 'timestamptz'::regtype)",
    "'bool'::regtype, 'timestamptz'::regtype, 'date'::regtype)",
  ],
  [
    'own_id(text, text)',
    "when 'timestamptz' then 'text_of_date(%s)'",
    "when 'timestamptz' then 'text_of_date(%s)' when 'date' then 'text_of_day(%s)'",
  ],
  [
    'column_json(text, text)',
    "when 'timestamptz[]' then 'json_of_dates(%s)'",
    `when 'timestamptz[]' then 'json_of_dates(%s)'
        when 'date' then 'to_jsonb(text_of_day(%s))'
        when 'date[]' then 'json_of_days(%s)'`,
  ],
  [
    'column_conversion(text, text, text, jsonb, jsonb, boolean)',
    "when 'timestamptz > text' then 'text_of_date(%s)'",
    `when 'timestamptz > text' then 'text_of_date(%s)'
        when 'text > date' then format('day_of_text(%%s, %L)', p_to->>'precision')
        when 'date > text' then 'text_of_day(%s)'
        when 'date > date' then format('day_of_wall((%%s)::timestamp, %L, %L)', p_to->>'precision', p_lenient)
        when 'timestamptz > date' then format('day_of_wall((%%s) at time zone %s, %L, %L)', source_zone(p_value, p_to), p_to->>'precision', p_lenient)
        when 'date > timestamptz' then format('((%%s)::timestamp at time zone %s)', source_zone(p_value, p_to))`,
  ],
  [
    'column_conversion(text, text, text, jsonb, jsonb, boolean)',
    "if p_from->>'type' = p_to->>'type' and p_was = p_type and p_type <> 'jsonb' then return p_value; end if;",
    "if p_from->>'type' = p_to->>'type' and p_was = p_type and p_type not in ('jsonb', 'date', 'date[]') then return p_value; end if;",
  ],
  [
    'column_conversion(text, text, text, jsonb, jsonb, boolean)',
    "if p_was = p_type || '[]' then",
    "if p_was = p_type || '[]' and p_type <> 'date' then",
  ],
  [
    'column_conversion(text, text, text, jsonb, jsonb, boolean)',
    "if p_type = p_was || '[]' then",
    "if p_type = p_was || '[]' and p_was <> 'date' then",
  ],
  [
    'fitted(jsonb, jsonb, boolean)',
    "return case when kind = 'string' then to_jsonb(text_of_date(date_of_text(v #>> '{}'))) end;",
    `return case when kind <> 'string' then null
          when p_to->>'precision' in ('day', 'month', 'year') then to_jsonb(text_of_day(day_of_text(v #>> '{}', p_to->>'precision')))
          else to_jsonb(text_of_date(date_of_text(v #>> '{}'))) end;`,
  ],
  [
    'converted(jsonb, jsonb, jsonb, boolean)',
    'elsif f = t then return v;',
    `elsif f = 'date' and t = 'date' then return to_jsonb(date_in_precision(v #>> '{}', p_from, p_to, p_lenient));
      elsif f = t then return v;`,
  ],
  [
    'converted(jsonb, jsonb, jsonb, boolean)',
    "elsif t = 'date' and f = 'text' then",
    `elsif t = 'date' and f = 'text' and p_to->>'precision' in ('day', 'month', 'year') then
        return to_jsonb(text_of_day(day_of_text(word, p_to->>'precision')));
      elsif t = 'date' and f = 'text' then`,
  ],
]

export async function up(db: Kysely<unknown>) {
  await sql`
    create function text_of_day(p date) returns text language sql immutable parallel safe as $$
      select to_char(p, 'YYYY-MM-DD') $$`.execute(db)
  // A day, or an instant at midnight in UTC; parts finer than the precision must be the first of their kind.
  await sql`
    create function day_of_text(p text, p_precision text) returns date language plpgsql immutable strict parallel safe as $$
    declare found date; days text := p;
    begin
      if p ~ '^[0-9]{4}$' then days := p || '-01-01'; elsif p ~ '^[0-9]{4}-[0-9]{2}$' then days := p || '-01'; end if;
      found := (date_of_text(substr(days, 1, 10) || 'T00:00:00Z') at time zone 'UTC')::date;
      if substr(days, 11) !~ '^(T00:00:00([.]0+)?Z?)?$' or date_trunc(p_precision, found::timestamp)::date <> found then return null; end if;
      return found;
    end $$`.execute(db)
  await sql`
    create function json_of_days(p date[]) returns jsonb language sql immutable strict parallel safe as $$
      select coalesce(jsonb_agg(text_of_day(d) order by i), '[]') from unnest(p) with ordinality u(d, i) $$`.execute(
    db,
  )
  await sql`
    create function day_of_wall(p timestamp, p_precision text, p_lenient boolean) returns date language sql immutable parallel safe as $$
      select case when p_lenient or date_trunc(p_precision, p) = p then date_trunc(p_precision, p)::date end $$`.execute(
    db,
  )
  // The zone of a record as an expression: of the table itself, of records (t), or of history images (r, with
  // the history h).
  await sql`
    create function source_zone(p_value text, p_to jsonb) returns text language sql immutable as $$
      select case when jsonb_typeof(p_to->'zones') = 'object' then format('coalesce(%L::jsonb ->> %s, %L)', p_to->'zones',
          case when p_value like 'r.%' then 'h.source_id' when p_value like 't.%' then 't.source_id' else 'source_id' end,
          coalesce(p_to->>'zone', 'UTC'))
        else quote_literal(coalesce(p_to->>'zone', 'UTC')) end $$`.execute(db)
  await sql`
    create function date_in_precision(p text, p_from jsonb, p_to jsonb, p_lenient boolean) returns text language plpgsql stable parallel safe as $$
    declare was boolean := coalesce(p_from->>'precision' in ('day', 'month', 'year'), false);
      is_day boolean := coalesce(p_to->>'precision' in ('day', 'month', 'year'), false); zone text := coalesce(p_to->>'zone', 'UTC');
    begin
      if is_day then
        return text_of_day(day_of_wall(case when was then p::timestamp else date_of_text(p) at time zone zone end,
          p_to->>'precision', p_lenient));
      end if;
      return case when was then text_of_date(p::timestamp at time zone zone) else p end;
    end $$`.execute(db)
  for (const [name, before, after] of changes) await replaceInFunction(db, name, before, after)
}

export async function down(db: Kysely<unknown>) {
  for (const [name, before, after] of [...changes].reverse()) await replaceInFunction(db, name, after, before)
  await sql`
    drop function date_in_precision(text, jsonb, jsonb, boolean), source_zone(text, jsonb),
      day_of_wall(timestamp, text, boolean), json_of_days(date[]), day_of_text(text, text), text_of_day(date)`.execute(
    db,
  )
}
