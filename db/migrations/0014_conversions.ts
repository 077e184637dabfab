import { sql, type Kysely } from 'kysely'

/**
 * Functions that convert values between types of fields. All are total: what cannot be converted is null, and
 * nothing raises, so that one invalid row never fails the others. The rules are those of the application's
 * field types.
 */
export async function makeConversions(db: Kysely<unknown>) {
  await scalars(db)
  await shapes(db)
  await values(db)
  await columns(db)
}

/** Drops what `makeConversions` created, for `down`. */
export async function dropConversions(db: Kysely<unknown>) {
  await sql`
    drop function column_conversion(text, text, text, jsonb, jsonb, boolean), column_json(text, text),
      json_of_dates(timestamptz[]), texts_of_json(jsonb), converted(jsonb, jsonb, jsonb, boolean), fitted(jsonb, jsonb, boolean),
      json_of_text(text), shape_of_text(text, text), shape_of_json(jsonb, text), sound_shape(geometry, text),
      text_of_date(timestamptz), date_of_text(text), text_of_number(double precision), number_of_text(text), geojson_type(text)`.execute(
    db,
  )
}

async function scalars(db: Kysely<unknown>) {
  await sql`
    create function geojson_type(p_type text) returns text language sql immutable parallel safe as $$
      select case p_type when 'point' then 'Point' when 'line' then 'LineString' when 'multiline' then 'MultiLineString'
        when 'polygon' then 'Polygon' when 'multipolygon' then 'MultiPolygon' end $$`.execute(db)
  // A leading zero belongs to an identifier, such as a postal code: as a number it would be lost.
  await sql`
    create function number_of_text(p text) returns double precision language plpgsql immutable strict parallel safe as $$
    begin
      if p !~ '^[+-]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][+-]?[0-9]+)?$' or p ~ '^[+-]?0[0-9]' then return null; end if;
      -- Written in few digits and without an exponent it is no number that a double could not hold.
      if length(p) <= 300 and p !~ '[eE]' then return p::double precision; end if;
      begin
        return p::double precision;
      exception when others then return null;
      end;
    end $$`.execute(db)
  await sql`
    create function text_of_number(p double precision) returns text language sql immutable parallel safe as $$
      select case when p::text !~ 'e' then case when p = 0 then '0' else p::text end
        when abs(p) >= 1e21 or abs(p) < 1e-6 then regexp_replace(p::text, 'e([+-])0+', 'e\\1')
        else p::text::numeric::text end $$`.execute(db)
  await sql`
    create function date_of_text(p text) returns timestamptz language plpgsql immutable strict parallel safe as $$
    declare days int; y int; m int;
    begin
      if p !~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?Z?$' then return null; end if;
      y := substr(p, 1, 4)::int;
      m := substr(p, 6, 2)::int;
      if y = 0 or m not between 1 and 12 then return null; end if;
      days := extract(day from make_date(y, m, 1) + interval '1 month - 1 day');
      if substr(p, 9, 2)::int not between 1 and days or substr(p, 12, 2)::int > 23 or substr(p, 15, 2)::int > 59
        or substr(p, 18, 2)::int > 59 then return null; end if;
      -- What is finer than a millisecond is cut off.
      return make_timestamptz(y, m, substr(p, 9, 2)::int, substr(p, 12, 2)::int, substr(p, 15, 2)::int,
        (substr(p, 18, 2) || coalesce(substring(p from '[.][0-9]{1,3}'), ''))::double precision, 'UTC');
    end $$`.execute(db)
  await sql`
    create function text_of_date(p timestamptz) returns text language sql stable parallel safe as $$
      select to_char(p at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$`.execute(db)
}

/** Geometries: of the GeoJSON type `p_type`, within valid coordinates, not at 0/0, valid, two-dimensional. */
async function shapes(db: Kysely<unknown>) {
  await sql`
    create function sound_shape(g geometry, p_type text) returns geometry language sql immutable parallel safe as $$
      select case when geometrytype(g) = upper(p_type) and not st_isempty(g) and st_npoints(g) <= 100000
          and st_xmin(g) >= -180 and st_xmax(g) <= 180 and st_ymin(g) >= -90 and st_ymax(g) <= 90
          and not (st_xmin(g) <= 0 and st_xmax(g) >= 0 and st_ymin(g) <= 0 and st_ymax(g) >= 0 and exists (
            select from st_dumppoints(g) d where st_x(d.geom) = 0 and st_y(d.geom) = 0))
          and st_isvalid(g)
        then st_setsrid(st_force2d(g), 4326) end $$`.execute(db)
  // The members are checked first, since PostGIS accepts more than GeoJSON.
  await sql`
    create function shape_of_json(p jsonb, p_type text) returns geometry language plpgsql immutable strict parallel safe as $$
    declare c jsonb; levels int; path text;
    begin
      if jsonb_typeof(p) <> 'object' or p->>'type' is distinct from p_type then return null; end if;
      if coalesce(p->'crs', 'null') not in ('null', 'false', '0', '""') then return null; end if;
      if coalesce(p->'bbox', 'null') not in ('null', 'false', '0', '""') and not jsonb_path_match(p,
        'strict $.bbox.type() == "array" && ($.bbox.size() == 4 || $.bbox.size() == 6)
          && !(exists ($.bbox[*] ? (@.type() != "number")))') then return null; end if;
      if p_type = 'Point' and p ?| array['geometry', 'features'] then return null; end if;
      c := p->'coordinates';
      levels := case p_type when 'Point' then 0 when 'LineString' then 1 when 'MultiLineString' then 2
        when 'Polygon' then 2 else 3 end;
      path := 'strict $' || repeat('[*]', levels);
      if jsonb_typeof(c) is distinct from 'array'
        or jsonb_path_exists(c, 'strict $.** ? (@.type() == "array" && @.size() == 0)')
        or jsonb_path_exists(c, 'strict $.** ? (@.type() == "number" && (@ > 1e308 || @ < -1e308))')
        or not jsonb_path_exists(c, path::jsonpath, '{}', true)
        or coalesce(jsonb_path_exists(c, (path || ' ? (@.type() != "array" || @.size() < 2 || @.size() > 3)')::jsonpath, '{}', true), true)
        or coalesce(jsonb_path_exists(c, (path || '[*] ? (@.type() != "number")')::jsonpath, '{}', true), true)
      then return null; end if;
      if p_type = 'LineString' and jsonb_array_length(c) < 2 then return null; end if;
      if p_type = 'MultiLineString' and jsonb_path_exists(c, 'strict $[*] ? (@.size() < 2)') then return null; end if;
      if p_type in ('Polygon', 'MultiPolygon') and exists (
        select from jsonb_path_query(c, (case p_type when 'Polygon' then 'strict $[*]' else 'strict $[*][*]' end)::jsonpath) ring
        where jsonb_array_length(ring) < 4 or ring->0 <> ring->-1) then return null; end if;
      return sound_shape(st_geomfromgeojson(jsonb_build_object('type', p_type, 'coordinates', c)), p_type);
    exception when others then return null;
    end $$`.execute(db)
  await sql`
    create function json_of_text(p text) returns jsonb language plpgsql immutable strict parallel safe as $$
    begin
      return p::jsonb;
    exception when others then return null;
    end $$`.execute(db)
  await sql`
    create function shape_of_text(p text, p_type text) returns geometry language plpgsql immutable strict parallel safe as $$
    begin
      if p ~ '^\\s*[{]' then return shape_of_json(json_of_text(p), p_type); end if;
      if p !~* '^\\s*(point|linestring|polygon|multilinestring|multipolygon)' then return null; end if;
      return sound_shape(st_force2d(st_geomfromtext(p)), p_type);
    exception when others then return null;
    end $$`.execute(db)
}

/**
 * Values in the format of the API. `p_lenient`: of a map, members that convert are kept and the others
 * dropped; otherwise a map is converted completely or not at all.
 */
async function values(db: Kysely<unknown>) {
  await createFitting(db)
  await createConversion(db)
}

/** Converts a value of any kind to a type. */
async function createFitting(db: Kysely<unknown>) {
  await sql`
    create function fitted(v jsonb, p_to jsonb, p_lenient boolean) returns jsonb language plpgsql immutable parallel safe as $$
    declare
      kind text := jsonb_typeof(v); t text := p_to->>'type'; shape text := geojson_type(p_to->>'type');
      one jsonb; made jsonb; k text;
    begin
      if v is null or kind = 'null' then return null; end if;
      if t = 'text' then return case when kind = 'string' then v end; end if;
      if t = 'boolean' then return case when kind = 'boolean' then v end; end if;
      if t = 'number' then
        return case when kind = 'number' then to_jsonb(number_of_text(v #>> '{}')) end;
      end if;
      if t = 'date' then
        return case when kind = 'string' then to_jsonb(text_of_date(date_of_text(v #>> '{}'))) end;
      end if;
      if shape is not null then
        return case when shape_of_json(v, shape) is not null
          then jsonb_build_object('type', v->'type', 'coordinates', v->'coordinates') end;
      end if;
      if t = 'array' then
        if kind <> 'array' then return null; end if;
        made := '[]';
        for one in select x from jsonb_array_elements(v) x loop
          if jsonb_typeof(one) <> 'null' then
            one := fitted(one, p_to->'items', p_lenient);
            if one is null then return null; end if;
          end if;
          made := made || jsonb_build_array(one);
        end loop;
        return made;
      end if;
      if kind <> 'object' then return null; end if;
      if p_to->'schema' is null then
        return case when not jsonb_path_exists(v, 'strict $.**{64 to last} ? (@.type() == "object" || @.type() == "array")')
          and not jsonb_path_exists(v, 'strict $.** ? (@.type() == "number" && (@ > 1.7976931348623158e308 || @ < -1.7976931348623158e308))')
          then v end;
      end if;
      made := '{}';
      for k in select jsonb_object_keys(v) loop
        if jsonb_typeof(v->k) = 'null' then continue; end if;
        one := case when p_to->'schema' ? k then fitted(v->k, p_to->'schema'->k, p_lenient) end;
        if one is not null then made := made || jsonb_build_object(k, one);
        elsif not p_lenient then return null; end if;
      end loop;
      return made;
    end $$`.execute(db)
}

/** Converts a value from one type to another. */
async function createConversion(db: Kysely<unknown>) {
  await sql`
    create function converted(v jsonb, p_from jsonb, p_to jsonb, p_lenient boolean) returns jsonb
    language plpgsql immutable parallel safe as $$
    declare
      f text := p_from->>'type'; t text := p_to->>'type';
      was_shape text := geojson_type(p_from->>'type'); shape text := geojson_type(p_to->>'type');
      word text; one jsonb; made jsonb; k text; size int;
    begin
      if v is null or jsonb_typeof(v) = 'null' then return null; end if;
      if t = 'array' and f <> 'array' then
        one := converted(v, p_from, p_to->'items', p_lenient);
        return case when one is not null then jsonb_build_array(one) end;
      elsif t = 'array' then
        made := '[]';
        for one in select x from jsonb_array_elements(v) x loop
          if jsonb_typeof(one) <> 'null' then
            one := converted(one, p_from->'items', p_to->'items', p_lenient);
            if one is null then return null; end if;
          end if;
          made := made || jsonb_build_array(one);
        end loop;
        return made;
      elsif f = 'array' then
        return case when jsonb_array_length(v) = 1 then converted(v->0, p_from->'items', p_to, p_lenient) end;
      elsif t = 'object' then
        if f = 'text' then return fitted(json_of_text(v #>> '{}'), p_to, p_lenient); end if;
        if was_shape is not null or (f = 'object' and p_from->'schema' is null and p_to->'schema' is not null) then
          return fitted(v, p_to, p_lenient);
        end if;
        if f <> 'object' then return null; end if;
        if p_to->'schema' is null then return v; end if;
        made := '{}';
        for k in select jsonb_object_keys(v) loop
          if jsonb_typeof(v->k) = 'null' then continue; end if;
          one := case when p_to->'schema' ? k and p_from->'schema' ? k
            then converted(v->k, p_from->'schema'->k, p_to->'schema'->k, p_lenient) end;
          if one is not null then made := made || jsonb_build_object(k, one);
          elsif not p_lenient then return null; end if;
        end loop;
        return made;
      elsif f = t then return v;
      elsif shape is not null then
        if f = 'object' then return fitted(v, p_to, p_lenient); end if;
        if f = 'text' then
          one := st_asgeojson(shape_of_text(v #>> '{}', shape), 15)::jsonb;
          return case when one is not null then jsonb_build_object('type', one->'type', 'coordinates', one->'coordinates') end;
        end if;
        if 'Multi' || was_shape = shape then
          return jsonb_build_object('type', shape, 'coordinates', jsonb_build_array(v->'coordinates'));
        end if;
        if 'Multi' || shape = was_shape and jsonb_array_length(v->'coordinates') = 1 then
          return jsonb_build_object('type', shape, 'coordinates', v->'coordinates'->0);
        end if;
        return null;
      end if;
      word := v #>> '{}';
      if t = 'text' then
        if f = 'number' then return to_jsonb(text_of_number(word::double precision)); end if;
        if was_shape is not null then
          return to_jsonb('{"type":"' || was_shape || '","coordinates":' || replace((v->'coordinates')::text, ' ', '') || '}');
        end if;
        return to_jsonb(word);
      elsif t = 'number' then
        if f = 'text' then return to_jsonb(number_of_text(word)); end if;
        return case when f = 'boolean' then case word when 'true' then to_jsonb(1) else to_jsonb(0) end end;
      elsif t = 'boolean' then
        if f = 'text' then return case word when 'true' then to_jsonb(true) when 'false' then to_jsonb(false) end; end if;
        return case when f = 'number' then case word::double precision when 1 then to_jsonb(true) when 0 then to_jsonb(false) end end;
      elsif t = 'date' and f = 'text' then
        return to_jsonb(text_of_date(date_of_text(word)));
      end if;
      return null;
    end $$`.execute(db)
}

/** Converts columns: directly between plain types, and through JSON for the rest. */
async function columns(db: Kysely<unknown>) {
  await sql`
    create function json_of_dates(p timestamptz[]) returns jsonb language sql immutable strict parallel safe as $$
      select coalesce(jsonb_agg(text_of_date(d) order by i), '[]') from unnest(p) with ordinality u(d, i) $$`.execute(
    db,
  )
  await sql`
    create function texts_of_json(p jsonb) returns text[] language sql immutable strict parallel safe as $$
      select coalesce(array_agg(x order by i), '{}') from jsonb_array_elements_text(p) with ordinality u(x, i) $$`.execute(
    db,
  )
  await sql`
    create function column_json(p_value text, p_was text) returns text language sql immutable as $$
      select format(case p_was
        when 'timestamptz' then 'to_jsonb(text_of_date(%s))'
        when 'timestamptz[]' then 'json_of_dates(%s)'
        when 'geometry(Geometry,4326)' then 'st_asgeojson(%s, 15)::jsonb'
        else 'to_jsonb(%s)' end, p_value) $$`.execute(db)
  await sql`
    create function column_conversion(p_value text, p_was text, p_type text, p_from jsonb, p_to jsonb, p_lenient boolean)
    returns text language plpgsql immutable as $$
    declare was_shape text := geojson_type(p_from->>'type'); shape text := geojson_type(p_to->>'type'); given text;
    begin
      if p_from->>'type' = p_to->>'type' and p_was = p_type and p_type <> 'jsonb' then return p_value; end if;
      if was_shape is not null and shape is not null then
        if 'Multi' || was_shape = shape then return format('st_multi(%s)', p_value); end if;
        if 'Multi' || shape = was_shape then
          return format('case when st_numgeometries(%s) = 1 then st_geometryn(%1$s, 1) end', p_value);
        end if;
        return 'null::geometry(Geometry,4326)';
      end if;
      if p_was = p_type || '[]' then return format('case when cardinality(%s) = 1 then (%1$s)[1] end', p_value); end if;
      if p_type = p_was || '[]' then return format('case when %s is not null then array[%1$s] end', p_value); end if;
      given := case p_was || ' > ' || p_type
        when 'text > double precision' then 'number_of_text(%s)'
        when 'double precision > text' then 'text_of_number(%s)'
        when 'text > boolean' then 'case %s when ''true'' then true when ''false'' then false end'
        when 'boolean > text' then '(%s)::text'
        when 'boolean > double precision' then '(%s)::int::double precision'
        when 'double precision > boolean' then 'case %s when 1 then true when 0 then false end'
        when 'text > timestamptz' then 'date_of_text(%s)'
        when 'timestamptz > text' then 'text_of_date(%s)'
        when 'geometry(Geometry,4326) > text' then 'st_asgeojson(%s, 15)'
        when 'text > geometry(Geometry,4326)' then format('shape_of_text(%%s, %L)', shape)
      end;
      if given is not null then return format(given, p_value); end if;
      given := format('converted(%s, %L::jsonb, %L::jsonb, %L::boolean)', column_json(p_value, p_was), p_from, p_to, p_lenient);
      if p_type = 'jsonb' then return given; end if;
      if p_type like '%[]' then return format('texts_of_json(%s)::%s', given, p_type); end if;
      if shape is not null then
        return format('st_setsrid(st_force2d(st_geomfromgeojson(%s)), 4326)', given);
      end if;
      return format('(%s #>> ''{}'')::%s', given, p_type);
    end $$`.execute(db)
}
