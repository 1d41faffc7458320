// A small cellar.
VAR gold = 3
-> yard

=== yard ===
You stand before a cellar door. # rain
* [Go down] -> stairs
* Knock[ on the door] and wait.
  Nobody answers.
  ** Knock again
     Still nobody.
  ** Give up -> END
  -- You are {wet}.
+ Shout -> stairs.bottom
- (late) You shiver <>
  and think.
  -> stairs

=== stairs
= landing
It is dark. -> bottom
= bottom
{
- gold > 2: You pay.
}
* [Open the chest] -> chest
* -> END

=== function twice(x)
~ return x * 2
