/** What people look for in open data: words for it in every language find each other. */
export const concepts = [
  ...['accident', 'age', 'agriculture', 'air', 'airport', 'animal', 'bicycle', 'birth', 'boundary', 'budget'],
  ...['building', 'bus', 'business', 'car', 'city', 'climate', 'complaint', 'contract', 'country', 'crime'],
  ...['culture', 'death', 'disease', 'earthquake', 'election', 'electricity', 'emission', 'employment'],
  ...['energy', 'fire', 'flight', 'flood', 'food', 'health', 'homeless', 'hospital', 'house', 'income'],
  ...['inspection', 'land', 'library', 'map', 'noise', 'park', 'parking', 'pedestrian', 'permit', 'police'],
  ...['pollution', 'population', 'poverty', 'property', 'rain', 'recycling', 'rent', 'restaurant', 'river'],
  ...['road', 'salary', 'school', 'snow', 'spending', 'sport', 'storm', 'student', 'tax', 'temperature'],
  ...['tourism', 'trade', 'traffic', 'train', 'transit', 'tree', 'unemployment', 'waste', 'water', 'weather'],
  ...['wind', 'women', 'year'],
] as const
export type Concept = (typeof concepts)[number]

/** What the search of a hub knows of a language. */
export interface SearchWords {
  /** Characters of the scripts that the language is written in: words of others are not its own. */
  script: RegExp
  /** What a word, written with its accents, is compared by beside its own letters: its stem, and what else finds its other forms. */
  stems: (word: string) => string[]
  /** Words that say nothing of what is looked for, separated by spaces. */
  stopWords: string
  /** Words for each concept, separated by spaces: single ones, with plurals that no stemmer brings together. */
  synonyms: Record<Concept, string>
}
