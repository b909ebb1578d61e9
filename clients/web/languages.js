// The languages of the page. Another one is two files like french.js and french-rules.js, and a line each here.

import { ENGLISH } from "./english.js";
import { FRENCH } from "./french.js";
import { FRENCH_RULES } from "./french-rules.js";
import { useTexts } from "./texts.js";

const TABLES = [ENGLISH, FRENCH];
/** The rules in languages other than the engine's. @type {Record<string, Record<string, string>>} */
const RULES = { fr: FRENCH_RULES };

/** The languages: their codes and names. @type {[string, string][]} */
export const LANGUAGES = TABLES.map(({ language, languageName }) => [String(language), String(languageName)]);

/** Takes the texts of a language, or else of the browser's. @param {string} code may be empty */
export function useLanguage(code) {
  const wanted = code || navigator.language.split("-")[0];
  useTexts(
    TABLES.find(({ language }) => language === wanted),
    RULES[wanted],
  );
}
