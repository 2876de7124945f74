import { validationFailed } from '../../../kernel/failures.ts';

/** The most commonly guessed passwords of at least 8 characters, in lower case. */
const COMMON = new Set(
  `12345678 123456789 1234567890 12345678910 11111111 00000000 87654321 123123123 987654321 password password1
  password12 password123 password1234 password! passw0rd p@ssword p@ssw0rd passpass qwertyui qwertyuiop qwerty12
  qwerty123 qwerty1234 1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 zaq12wsx asdfghjk asdfghjkl zxcvbnm1 zxcvbnm123 abcd1234
  abc12345 abcdefgh abc123456 a1b2c3d4 aa123456 iloveyou iloveyou1 iloveyou2 sunshine sunshine1 princess princess1
  football football1 baseball baseball1 basketball superman superman1 batman123 michael1 jennifer jessica1 charlie1
  trustno1 whatever starwars starwars1 computer internet corvette mercedes samantha danielle butterfly liverpool
  chelsea1 arsenal1 manchester barcelona realmadrid pokemon1 pokemon123 naruto123 minecraft fortnite dragon123
  monkey123 shadow123 master123 letmein1 letmein123 welcome1 welcome123 welcome2 admin123 admin1234 administrator
  changeme changeme1 changeit default1 secret123 test1234 testtest testing123 guest123 user1234 login123 hello123
  hellohello computer1 freedom1 summer2024 summer2025 summer2026 winter2024 winter2025 winter2026 spring2025
  autumn2025 bitcoin1 trading1 trader123 money123 blink182 metallica slipknot1 nirvana1 mustang1 yankees1 lakers24
  maverick midnight garfield anthony1 patrick1 victoria elizabeth alexander christopher qazwsxedc 147258369 159753456
  123qweasd 123qwe123 qweasdzxc 1234qwer 12341234 11223344 12344321 69696969 88888888 99999999 55555555 77777777
  66666666 22222222 33333333 44444444 10203040 101010101 123654789 789456123 741852963 963852741 1122334455`.split(
    /\s+/,
  ),
);

/** @throws 422 for a commonly guessed password, if `isAsked` */
export function refuseCommon(password: string, isEnabled: boolean, field = 'password'): void {
  if (isEnabled && COMMON.has(password.toLowerCase()))
    throw validationFailed([{ field, message: 'is too common' }]);
}
