import { describe, expect, test } from 'vitest'
import { toSearchQuestion, find, parseIndex } from '#functions/edge/search/index.ts'
import { writeIndex, type SearchDocument } from '#functions/edge/search/write.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import { dataTypes } from '../seed/data-types.ts'
import { pages } from '../seed/pages.ts'
import { places } from '../seed/places.ts'

/**
 * The search documents of a hub of the demo: its domains, sources and stories, without the values of their
 * records.
 */
function listHubDocuments(placeId: string): SearchDocument[] {
  const place = places.find(({ id }) => id === placeId)
  const sources = (place?.sources ?? []).filter(({ visibility }) => visibility === 'public')
  const types = dataTypes.filter(({ id }) => sources.some(({ dataTypeId }) => dataTypeId === id))
  return [
    ...types.map(({ id, name, notes, category }): SearchDocument => {
      return {
        kind: 'domain',
        title: name,
        href: `/domains/${id}`,
        note: notes,
        domain: id,
        names: [category],
      }
    }),
    ...sources.map(({ id, name, notes, dataTypeId }): SearchDocument => {
      const type = dataTypes.find((each) => each.id === dataTypeId)
      return {
        ...{ kind: 'indicator', title: name, href: `/${id}`, note: notes, domain: dataTypeId },
        names: [type?.name ?? '', type?.category ?? ''],
        columnTexts: Object.values(type?.schema ?? {}).flatMap((field) => [field.name, field.notes ?? '']),
      }
    }),
    ...pages
      .filter((page) => page.placeId === placeId && page.isPublic)
      .map(({ id, title, description, contents }): SearchDocument => {
        const texts = contents.map(({ settings }) => ('html' in settings ? settings.html : ''))
        const text = texts.join(' ').replace(/<[^>]*>/g, ' ')
        return { kind: 'story', title, href: `/pages/${id}`, note: description, domain: null, text }
      }),
    { kind: 'map', title: place?.displayName ?? '', href: '/map', note: '', domain: null },
  ]
}

/** Typical titles of open-data catalogues of cities and countries, with their topic and columns. */
const catalogue: [title: string, topic: string, columns: string][] = [
  ['Building permits', 'Housing', 'Permit number, Issue date, Estimated project cost, Contractor'],
  ['Land use permits', 'Housing', 'Permit number, Decision date, Zoning'],
  ['Rental unit inventory', 'Housing', 'Address, Landlord, Registered on'],
  ['Street trees', 'Environment', 'Species, Diameter, Planted on, Condition'],
  ['Tree canopy cover 2021', 'Environment', 'Census tract, Canopy share'],
  ['Fire department 911 calls', 'Public safety', 'Address, Type of incident, Time'],
  ['Crime data: 2008 to present', 'Public safety', 'Offense, Precinct, Reported at'],
  ['Traffic collisions', 'Transport', 'Severity, Injuries, Weather, Road condition'],
  ['Bicycle counters: Fremont Bridge', 'Transport', 'Hour, Northbound, Southbound'],
  ['Parking citations', 'Transport', 'Fine, Street, Issued at'],
  ['Public transport stops', 'Transport', 'Stop name, Routes, Wheelchair'],
  ['Restaurant inspection results', 'Health', 'Grade, Violation, Cuisine'],
  ['Air quality measurements', 'Environment', 'Station, PM2.5, Ozone'],
  ['Drinking water quality', 'Environment', 'Lead, Turbidity, Sampled at'],
  ['Household waste collected', 'Environment', 'Tonnes, District, Recycled share'],
  ['City employee salaries', 'Finance', 'Department, Job title, Hourly rate'],
  ['Adopted budget by department', 'Finance', 'Fund, Amount, Fiscal year'],
  ['Public library checkouts', 'Culture', 'Title, Branch, Format'],
  ['Homeless shelters', 'Social', 'Beds, Opened, Operator'],
  ['Unemployment rate by county', 'Economy', 'Month, Rate, Labour force'],
  ['Business licences, active', 'Economy', 'Trade name, NAICS code'],
  ['Population by age and sex', 'Society', 'Age group, Sex, Inhabitants'],
  ['Deaths by cause', 'Health', 'Cause, Year, Deaths per 100,000'],
  ['School enrolment', 'Education', 'School, Grade, Pupils'],
  ['Presidential election results 2024', 'Government', 'Candidate, Votes, Precinct'],
  ['Registro de vehículos eléctricos', 'Transporte', 'Marca, Modelo, Año de matriculación'],
  ['Calidad del aire: estaciones', 'Medio ambiente', 'Estación, Contaminante, Valor'],
  ['Presupuesto municipal', 'Hacienda', 'Partida, Importe, Ejercicio'],
  ['Censo de árboles de la ciudad', 'Medio ambiente', 'Especie, Altura, Distrito'],
  ['Bibliotecas públicas', 'Cultura', 'Nombre, Dirección, Horario'],
  ['Demandes de valeurs foncières', 'Logement', 'Commune, Prix, Surface'],
  ['Qualité de l’air en région', 'Environnement', 'Polluant, Indice'],
  ['Écoles élémentaires publiques', 'Éducation', 'Nom, Adresse, Effectif'],
  ['Accidents corporels de la circulation', 'Transports', 'Gravité, Date, Commune'],
  ['Prénoms des nouveau-nés', 'Société', 'Prénom, Nombre, Année'],
  ['إحصاءات السكان حسب المدينة', 'المجتمع', 'المدينة, السكان, السنة'],
  ['المدارس الحكومية', 'التعليم', 'اسم المدرسة, عدد الطلاب'],
  ['حوادث المرور', 'النقل', 'التاريخ, عدد الإصابات'],
  ['جودة الهواء', 'البيئة', 'المحطة, الملوث'],
]

const real = catalogue.map(([title, topic, columns]): SearchDocument => {
  const href = `/domains/${title}`
  return {
    kind: 'indicator',
    title,
    href,
    note: '',
    domain: topic,
    names: [topic],
    columnTexts: columns.split(', '),
  }
})

const indexes = {
  seattle: parseIndex(writeIndex(listHubDocuments('seattle-wa'), { domains: {}, rows: '' })),
  usa: parseIndex(writeIndex(listHubDocuments('usa'), { domains: {}, rows: '' })),
  real: parseIndex(writeIndex(real, { domains: {}, rows: '' })),
}

/** Queries in a language, and the expected first result. */
const questions: [on: keyof typeof indexes, locale: Locale, text: string, first: string][] = [
  ['seattle', 'en', 'weather', 'Daily weather'],
  ['seattle', 'en', 'does it rain in seattle', 'Does it really rain that much in Seattle?'],
  ['seattle', 'en', 'precipitation', 'Seattle daily weather'],
  ['seattle', 'en', 'temperatures', 'Seattle daily weather'],
  ['seattle', 'en', 'airfields', 'Airport'],
  ['seattle', 'en', 'map', 'Seattle Open Data'],
  ['seattle', 'es', 'aeropuertos', 'Airport'],
  ['seattle', 'fr', 'météo', 'Seattle daily weather'],
  ['seattle', 'ar', 'الطقس', 'Seattle daily weather'],
  ['usa', 'en', 'flights', 'Flight'],
  ['usa', 'en', 'zip code', 'ZIP codes'],
  ['usa', 'en', 'airport', 'Airport'],
  ['usa', 'en', 'arports', 'Airports of the United States'],
  ['usa', 'en', 'birds aircraft', 'When birds and aircraft meet'],
  ['usa', 'en', 'wildlfe strikes', 'Wildlife strike'],
  ['usa', 'es', 'vuelos', 'Flight'],
  ['usa', 'ar', 'المطارات', 'Airport'],
  ['real', 'en', 'permit', 'Building permits'],
  ['real', 'en', 'trees', 'Street trees'],
  ['real', 'en', 'tree', 'Street trees'],
  ['real', 'en', 'car crashes', 'Traffic collisions'],
  ['real', 'en', 'crash', 'Traffic collisions'],
  ['real', 'en', 'garbage', 'Household waste collected'],
  ['real', 'en', 'bike', 'Bicycle counters: Fremont Bridge'],
  ['real', 'en', 'bus stops', 'Public transport stops'],
  ['real', 'en', 'crimes', 'Crime data: 2008 to present'],
  ['real', 'en', 'payroll', 'City employee salaries'],
  ['real', 'en', 'how many people are unemployed', 'Unemployment rate by county'],
  ['real', 'en', 'mortality', 'Deaths by cause'],
  ['real', 'en', 'resturant grades', 'Restaurant inspection results'],
  ['real', 'en', 'libraries', 'Public library checkouts'],
  ['real', 'en', 'ozone', 'Air quality measurements'],
  ['real', 'en', 'landlord', 'Rental unit inventory'],
  ['real', 'es', 'arboles', 'Censo de árboles de la ciudad'],
  ['real', 'es', 'presupuestos', 'Presupuesto municipal'],
  ['real', 'es', 'biblioteca pública', 'Bibliotecas públicas'],
  ['real', 'es', 'coche eléctrico', 'Registro de vehículos eléctricos'],
  ['real', 'fr', 'école', 'Écoles élémentaires publiques'],
  ['real', 'fr', 'accident', 'Accidents corporels de la circulation'],
  ['real', 'fr', 'prix du logement', 'Demandes de valeurs foncières'],
  ['real', 'fr', "qualité de l'air", 'Qualité de l’air en région'],
  ['real', 'ar', 'مدرسة', 'المدارس الحكومية'],
  ['real', 'ar', 'عدد سكان المدن', 'إحصاءات السكان حسب المدينة'],
  ['real', 'ar', 'الحوادث المرورية', 'حوادث المرور'],
]

describe('the first result of a search', () => {
  test.each(questions)('on %s in %s of “%s” is “%s”', (on, locale, text, first) => {
    const { results } = find(indexes[on], toSearchQuestion(text), { locale, sort: 'relevance' })
    expect(results[0]?.title).toBe(first)
  })
})
