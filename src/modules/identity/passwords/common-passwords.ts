/** Common ones that the list lacks: mostly rows of keys, and what is newer than the list. In lower case. */
const OTHERS =
  `987654321 87654321 98765432 0987654321 1029384756 10203040 11223344 112233445566 1122334455 111222333 12344321
  123454321 1234554321 123321123 123654789 123698745 1472583690 147258369 147852369 147896325 14789632 159753456 192837465
  741852963 789456123 963852741 11235813 1123581321 31415926 314159265 4815162342 25802580 21122112 102030405060 135792468
  24681012 1234567890123456 p@ssword p@ssw0rd p@ssw0rd1 password2020 password2021 password2022 password2023 password2024
  password2025 password2026 spring2024 spring2025 spring2026 summer2024 summer2025 summer2026 autumn2024 autumn2025 autumn2026
  winter2024 winter2025 winter2026 fortnite fortnite1 admin1234 guest123 user1234 login123 hellohello bitcoin1 bitcoin123
  trading1 trading123 trader123 crypto123 ethereum dogecoin`.split(/\s+/);

/** Rows of which a part of eight characters or more, in either direction, is common. */
const ROWS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  'azertyuiop',
];
const RUNS = [...ROWS, ...ROWS.map((row) => [...row].reverse().join(''))];

/** One to five characters, repeated. */
const REPEATED = /^(.{1,5})\1+$/u;

/** A day of this or the last century: day or month first, or the year. */
const DAY = /^(?:(?:0[1-9]|[12]\d|3[01]){2}(?:19|20)\d\d|(?:19|20)\d\d(?:0[1-9]|[12]\d|3[01]){2})$/;

/** What is put behind a common password where punctuation is asked for. */
const ENDING = /[!?.*#$]+$/;

/**
 * Loads the most common passwords, about 18,000 of eight characters or more, and returns a function that recognizes them in
 * any case, also with blanks around them or punctuation at their end; besides what lists leave out because it is easily derived: repetitions,
 * rows of keys and dates.
 */
export async function commonPasswords(): Promise<(password: string) => boolean> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  const listed = new Set([...dictionary['passwords-common'], ...OTHERS]);
  const isCommon = (text: string) =>
    listed.has(text) || REPEATED.test(text) || DAY.test(text) || RUNS.some((row) => row.includes(text));
  return (password) => {
    const text = password.normalize('NFKC').trim().toLowerCase();
    return text === '' || isCommon(text) || isCommon(text.replace(ENDING, ''));
  };
}
