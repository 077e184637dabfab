/** Concepts that people search for in open data. Their synonyms match each other across languages. */
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

/** Language data of the search of a hub. */
export interface SearchLanguage {
  /** Characters of the scripts of the language; words in other scripts do not belong to it. */
  script: RegExp
  /**
   * Returns the keys by which a word (with diacritics) is compared apart from itself: its stem, and other
   * keys that match its other forms.
   */
  stems: (word: string) => string[]
  /** Stop words, separated by spaces. */
  stopWords: string
  /** Synonyms of each concept, separated by spaces: single words, with plurals whose stem differs. */
  synonyms: Record<Concept, string>
}
